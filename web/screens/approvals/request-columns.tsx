import type { OutputOf } from '../../../contract/endpoint.ts'
import type { listRequests } from '../../../contract/approvals.ts'
import { isRunnersName } from '../../../contract/look-alikes.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, hyphenated, minuteOf } from '../../lists/columns.ts'
import { EmailAddress } from '../../lists/email-address.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import styles from './approvals.module.css'

/** A request that waits. */
export type RequestRow = OutputOf<typeof listRequests>['requests'][number]

/** Returns whether the request is for another affiliation and not for an account (rules/approvals#change-of-affiliation). */
export const isChange = (row: RequestRow): boolean => row.newAffiliationCode !== undefined

const kindOf = (row: RequestRow) => (isChange(row) ? 'affiliation' : 'account')

/**
 * Returns the columns of the open requests, with a checkbox per row and one for the whole page.
 * @param chosen requestId of each selected request
 */
export function useRequestColumns(
  rows: readonly RequestRow[],
  chosen: ReadonlySet<string>,
  onChoose: (chosen: ReadonlySet<string>) => void,
): ListColumn<RequestRow>[] {
  const t = usePortalMessages().approvals
  const { text, column } = columnsOf<RequestRow, keyof typeof t.columns>(t.columns)
  const ids = rows.map(({ requestId }) => requestId)
  const count = ids.filter((id) => chosen.has(id)).length

  function toggle(id: string, isChosen: boolean): void {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    onChoose(next)
  }

  return [
    {
      key: 'select',
      header: t.select,
      headerContent: (
        <Checkbox
          label={t.selectAll}
          isLabelHidden
          value={count > 0 && count === ids.length}
          isMixed={count > 0 && count < ids.length}
          isDisabled={ids.length === 0}
          onChange={(isChosen) => onChoose(new Set(isChosen ? ids : []))}
        />
      ),
      render: ({ requestId, name }) => (
        <Checkbox
          label={t.selectOne(name)}
          isLabelHidden
          value={chosen.has(requestId)}
          onChange={(isChosen) => toggle(requestId, isChosen)}
        />
      ),
      width: 52,
      align: 'center',
    },
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
    column('phoneNumber', (row) => hyphenated(row.phoneNumber), { width: 132 }),
    column('email', ({ email }) => <EmailAddress email={email} />, { wraps: true }),
    column('requestedAt', (row) => <span title={row.requestedAt}>{minuteOf(row.requestedAt)}</span>, {
      width: 156,
    }),
  ]
}
