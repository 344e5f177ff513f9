import type { OutputOf } from '../../../contract/endpoint.ts'
import { ISSUED_KEY_MASK, type listKeys } from '../../../contract/keys.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, dayOf, formatPhone } from '../../lists/columns.ts'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PersonName } from '../users/record/person-name.tsx'
import styles from './key-search.module.css'

/** A row of the key history. */
export type KeyRow = OutputOf<typeof listKeys>['keys'][number]

/** Renders a text so that lines break only between words, not within Yeongjong-gu. */
const wholeWords = (text: string) => (
  <span title={text} className={styles.words}>
    {text.split(' ').map((word, index) => (
      <span key={index}>{word} </span>
    ))}
  </span>
)

/**
 * Returns the columns of the key history (rules/keys#key-history). The issued key is masked; a revoked one is marked.
 * @param onRevoke adds a column with a button that revokes a key; undefined without permission
 */
export function useKeyColumns(onRevoke: ((row: KeyRow) => void) | undefined): ListColumn<KeyRow>[] {
  const { keys: t, regionName } = usePortalMessages()
  const { text, column } = columnsOf<KeyRow, keyof typeof t.columns>(t.columns)
  // The date, with the moment behind it.
  const day = (
    key: 'issuedAt' | 'revokedAt',
    options: { width: number; isSortable?: true; isExtra?: true; share?: number },
  ) => column(key, (row) => <span title={row[key]}>{dayOf(row[key])}</span>, options)
  const columns = [
    text('rowNumber', { width: 64, align: 'center', isRequired: true }),
    column('region', (row) => wholeWords(regionName(`${row.provinceName} ${row.districtName}`)), {
      wraps: 'words',
      share: 0.65,
    }),
    text('affiliationName', { width: 108, wraps: 'words' }),
    text('partnerCode', { width: 150, isExtra: true }),
    text('userId', { width: 100, share: 1 }),
    column('name', ({ userId, name }) => <PersonName userId={userId} name={name} />, {
      width: 96,
      // A few are very long, and can be opened.
      share: 0.35,
      isRowHeader: true,
      isRequired: true,
    }),
    column('phoneNumber', (row) => formatPhone(row.phoneNumber), { width: 126, share: 1 }),
    // Half of it in each of two lines.
    text('requestKey', { width: 200, wraps: true, share: 0.6 }),
    column(
      'issuedKey',
      (row) => (
        <span className={styles.masked}>
          <span aria-hidden="true">{ISSUED_KEY_MASK}</span>
          <span className="visually-hidden">{t.masked}</span>
          {row.revokedAt !== '' && (
            <span title={t.revokedWhen(row.revokedAt, row.revokedBy, row.revokeReason)}>
              <Badge tone="warning">{t.revoked}</Badge>
            </span>
          )}
        </span>
      ),
      { width: 110 },
    ),
    day('issuedAt', { width: 104, isSortable: true, share: 1 }),
    text('secretVersion', { width: 118, align: 'center', isExtra: true }),
    day('revokedAt', { width: 118, isExtra: true }),
    text('revokeReason', { width: 150, isExtra: true }),
    text('revokedBy', { width: 118, isExtra: true }),
  ]
  if (onRevoke === undefined) return columns
  const revoke = (row: KeyRow) =>
    row.revokedAt === '' && (
      <Button
        size="small"
        aria-label={t.revoke.openOf(row.name, row.requestKey)}
        onClick={() => onRevoke(row)}
      >
        {t.revoke.open}
      </Button>
    )
  return [...columns, column('revoke', revoke, { width: 100, align: 'center' })]
}
