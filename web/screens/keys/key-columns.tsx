import type { OutputOf } from '../../../contract/endpoint.ts'
import { ISSUED_KEY_MASK, type listKeys } from '../../../contract/keys.ts'
import { usePortalMessages } from '../../language.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './key-search.module.css'

/** A row of the key history. */
export type KeyRow = OutputOf<typeof listKeys>['KEY_LIST'][number]

/**
 * The columns of the key history (spec §2), and one to revoke with for those who may.
 * @param onRevoke undefined for everybody else
 */
export function useKeyColumns(onRevoke: ((row: KeyRow) => void) | undefined): ListColumn<KeyRow>[] {
  const t = usePortalMessages().keys
  const text = (
    key: Exclude<keyof KeyRow & keyof typeof t.columns, 'NO'>,
    width?: number,
  ): ListColumn<KeyRow> => ({
    key,
    header: t.columns[key],
    render: (row) => row[key],
    width,
  })
  const columns: ListColumn<KeyRow>[] = [
    {
      key: 'NO',
      header: t.columns.NO,
      render: (row) => row.NO,
      width: 64,
      align: 'center',
      isRequired: true,
    },
    { key: 'REGION', header: t.columns.REGION, render: (row) => `${row.SIDO_NAME} ${row.SIGUNGU_NAME}` },
    text('BELONGTO_CODE_NAME', 108),
    text('USER_ID', 100),
    { ...text('NAME', 96), isRowHeader: true, isRequired: true },
    { ...text('PHONE_NUMBER', 126), render: (row) => hyphenated(row.PHONE_NUMBER) },
    text('REQUEST_KEY', 100),
    {
      key: 'ISSUED_KEY',
      header: t.columns.ISSUED_KEY,
      render: (row) => (
        <span className={styles.masked}>
          <span aria-hidden="true">{ISSUED_KEY_MASK}</span>
          <span className="visually-hidden">{t.masked}</span>
          {row.REVOKED_DATE !== '' && (
            <span title={t.revokedWhen(row.REVOKED_DATE, row.REVOKE_REASON)}>
              <Badge tone="warning">{t.revoked}</Badge>
            </span>
          )}
        </span>
      ),
      width: 170,
    },
    {
      key: 'ISSUANCE_DATE',
      header: t.columns.ISSUANCE_DATE,
      // 'YYYY-MM-DD HH:mm:ss' (decisions §2): the date, with the moment behind it.
      render: (row) => <span title={row.ISSUANCE_DATE}>{row.ISSUANCE_DATE.slice(0, 10)}</span>,
      width: 104,
      isSortable: true,
    },
  ]
  const more = [
    {
      ...text('REVOKED_DATE', 118),
      render: (row: KeyRow) => <span title={row.REVOKED_DATE}>{row.REVOKED_DATE.slice(0, 10)}</span>,
      isExtra: true,
    },
    { ...text('REVOKE_REASON', 150), isExtra: true },
  ]
  if (onRevoke === undefined) return [...columns, ...more]
  return [
    ...columns,
    ...more,
    {
      key: 'REVOKE',
      header: t.columns.REVOKE,
      render: (row) =>
        row.REVOKED_DATE === '' && (
          <Button
            size="small"
            aria-label={t.revoke.openOf(row.NAME, row.REQUEST_KEY)}
            onClick={() => onRevoke(row)}
          >
            {t.revoke.open}
          </Button>
        ),
      width: 100,
      align: 'center',
    },
  ]
}

/** 01012345678 as people write it; anything else as it is. */
function hyphenated(phone: string): string {
  return phone.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2-$3')
}
