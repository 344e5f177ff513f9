import type { OutputOf } from '../../../contract/endpoint.ts'
import { ISSUED_KEY_MASK, type listKeys } from '../../../contract/keys.ts'
import { usePortalMessages } from '../../language.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './key-search.module.css'

/** A row of the key history. */
export type KeyRow = OutputOf<typeof listKeys>['keys'][number]

/**
 * The columns of the key history (rules/keys#key-history), and one to revoke with for those who may.
 * @param onRevoke undefined for everybody else
 */
export function useKeyColumns(onRevoke: ((row: KeyRow) => void) | undefined): ListColumn<KeyRow>[] {
  const t = usePortalMessages().keys
  const text = (
    key: Exclude<keyof KeyRow & keyof typeof t.columns, 'rowNumber'>,
    width?: number,
  ): ListColumn<KeyRow> => ({
    key,
    header: t.columns[key],
    render: (row) => row[key],
    width,
  })
  const columns: ListColumn<KeyRow>[] = [
    {
      key: 'rowNumber',
      header: t.columns.rowNumber,
      render: (row) => row.rowNumber,
      width: 64,
      align: 'center',
      isRequired: true,
    },
    { key: 'REGION', header: t.columns.REGION, render: (row) => `${row.provinceName} ${row.districtName}` },
    text('affiliationName', 108),
    text('userId', 100),
    { ...text('name', 96), isRowHeader: true, isRequired: true },
    { ...text('phoneNumber', 126), render: (row) => hyphenated(row.phoneNumber) },
    text('requestKey', 100),
    {
      key: 'issuedKey',
      header: t.columns.issuedKey,
      render: (row) => (
        <span className={styles.masked}>
          <span aria-hidden="true">{ISSUED_KEY_MASK}</span>
          <span className="visually-hidden">{t.masked}</span>
          {row.revokedAt !== '' && (
            <span title={t.revokedWhen(row.revokedAt, row.revokeReason)}>
              <Badge tone="warning">{t.revoked}</Badge>
            </span>
          )}
        </span>
      ),
      width: 170,
    },
    {
      key: 'issuedAt',
      header: t.columns.issuedAt,
      // 'YYYY-MM-DD HH:mm:ss' (rules/wire#times): the date, with the moment behind it.
      render: (row) => <span title={row.issuedAt}>{row.issuedAt.slice(0, 10)}</span>,
      width: 104,
      isSortable: true,
    },
  ]
  const more = [
    {
      ...text('revokedAt', 118),
      render: (row: KeyRow) => <span title={row.revokedAt}>{row.revokedAt.slice(0, 10)}</span>,
      isExtra: true,
    },
    { ...text('revokeReason', 150), isExtra: true },
  ]
  if (onRevoke === undefined) return [...columns, ...more]
  return [
    ...columns,
    ...more,
    {
      key: 'REVOKE',
      header: t.columns.REVOKE,
      render: (row) =>
        row.revokedAt === '' && (
          <Button
            size="small"
            aria-label={t.revoke.openOf(row.name, row.requestKey)}
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
