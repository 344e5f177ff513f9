import type { OutputOf } from '../../../contract/endpoint.ts'
import type { listRequests } from '../../../contract/approvals.ts'
import { isRunnersName } from '../../../contract/reserved-names.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, formatPhone, minuteOf } from '../../lists/columns.ts'
import { EmailAddress } from '../../lists/email-address.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { checkboxColumn } from '../audit/checkbox-column.tsx'
import styles from './approvals.module.css'

/** A request that waits for approval. */
export type RequestRow = OutputOf<typeof listRequests>['requests'][number]

/** Returns whether the request is for another affiliation and not for an account (rules/approvals#change-of-affiliation). */
export const isChange = (row: RequestRow): boolean => row.newAffiliationCode !== undefined

/** Returns the kind of a request, as the key of its name. */
const kindOf = (row: RequestRow) => (isChange(row) ? 'affiliation' : 'account')

/**
 * Returns the columns of the open requests, with a checkbox per row and one for all rows of the page. Badges mark
 * names that look like the operator's, and applicants who were rejected before.
 * @param rows rows of the page
 * @param chosen requestId of each selected request
 * @param onChoose receives the new selection
 */
export function useRequestColumns(
  rows: readonly RequestRow[],
  chosen: ReadonlySet<string>,
  onChoose: (chosen: ReadonlySet<string>) => void,
): ListColumn<RequestRow>[] {
  const t = usePortalMessages().approvals
  const { text, column } = columnsOf<RequestRow, keyof typeof t.columns>(t.columns)
  return [
    checkboxColumn({
      rows,
      idOf: ({ requestId }) => requestId,
      chosenIds: chosen,
      choose: onChoose,
      texts: { select: t.select, all: t.selectAll, one: ({ name }) => t.selectOne(name) },
    }),
    column(
      'name',
      ({ name, refusedCount }) => (
        <span className={styles.name}>
          <span title={name}>{name}</span>{' '}
          {isRunnersName(name) && <Badge tone="danger">{t.likeRunner}</Badge>}{' '}
          {refusedCount > 0 && <Badge tone="warning">{t.refusedBefore(refusedCount)}</Badge>}
        </span>
      ),
      { isRowHeader: true },
    ),
    text('userId', { width: 120 }),
    column('kind', (row) => <Badge tone={isChange(row) ? 'info' : 'neutral'}>{t.kinds[kindOf(row)]}</Badge>, {
      width: 120,
      align: 'center',
    }),
    column(
      'affiliationName',
      (row) => {
        if (!isChange(row)) return <span title={row.affiliationName}>{row.affiliationName}</span>
        const shown = t.from(row.affiliationName, row.newAffiliationName ?? '')
        return (
          <span title={shown} className={styles.change}>
            <span>{row.affiliationName}</span> <span>→ {row.newAffiliationName}</span>
          </span>
        )
      },
      { width: 170 },
    ),
    text('position', { width: 84 }),
    column('phoneNumber', (row) => formatPhone(row.phoneNumber), { width: 132 }),
    column('email', ({ email }) => <EmailAddress email={email} />, { wraps: true }),
    column('requestedAt', (row) => <span title={row.requestedAt}>{minuteOf(row.requestedAt)}</span>, {
      width: 156,
    }),
  ]
}
