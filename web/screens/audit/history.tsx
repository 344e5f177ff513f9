import { useQuery } from '@tanstack/react-query'
import { HISTORY_PER_PAGE, listHistory } from '../../../contract/audit.ts'
import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import { type FunctionName, USER_READERS } from '../../../contract/permissions.ts'
import { query } from '../../api/query.ts'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import layout from '../../ui/layout.module.css'
import { LazyCard } from '../../ui/lazy-card.tsx'
import { PersonName } from '../users/record/person-name.tsx'

/** Kind and ID of the record whose history is shown. */
export type HistoryOf = Pick<InputOf<typeof listHistory>, 'recordKind' | 'recordId'>

/**
 * Permissions of which one is needed to read the history of a kind of record, for `History`; that of the audit log is
 * enough, too.
 */
const MAY: Record<HistoryOf['recordKind'], readonly FunctionName[]> = {
  user: USER_READERS,
  partner: ['autho_partner_search'],
  notice: ['autho_notice_manage'],
  role: ['autho_role_manage'],
  affiliation: ['autho_setting_manage'],
  setting: ['autho_setting_manage'],
}

/** Creates the query of a page of a record's history. */
export const historyQuery = (record: HistoryOf, page: number) =>
  query(listHistory, { ...record, page, perPage: HISTORY_PER_PAGE })

/** Loads the code of the rows. */
const loadRows = () => import('./history-rows.tsx')

/**
 * Shows a card with the last change of a record, and its history when the user opens it (rules/audit#history). Shows
 * nothing without permission to read the record as an administrator, or the audit log; the server checks again.
 */
export function History(record: HistoryOf) {
  const mayRead = useHasFunction(...MAY[record.recordKind], 'autho_audit_search')
  return mayRead ? <HistoryCard {...record} /> : null
}

/**
 * Reads the first page of the history and shows the card: closed with the last change, open with the rows. The caller
 * has checked the permission.
 */
function HistoryCard(record: HistoryOf) {
  const t = usePortalMessages().history
  const { data } = useQuery(historyQuery(record, 1))
  const [last] = data?.rows ?? []
  return (
    <LazyCard
      texts={t}
      load={loadRows}
      closed={
        <p className={layout.quiet}>
          {last !== undefined && <LastChange {...last} />}
          {data?.totalCount === 0 && t.never}
        </p>
      }
    >
      {(part) => <part.HistoryRows {...record} />}
    </LazyCard>
  )
}

/**
 * Shows in a sentence when a record was changed and by which user, or by the server. The name opens the profile card.
 */
function LastChange(row: OutputOf<typeof listHistory>['rows'][number]) {
  const { changedAt, userId, name, action } = row
  const t = usePortalMessages().history
  const minute = changedAt.slice(0, 16)
  if (userId === '') return t.last(minute, t.system, action)
  const who = `${name} (${userId})`
  const [before, after] = t.last(minute, '\n', action).split('\n')
  return (
    <span title={who}>
      {before}
      <PersonName userId={userId} name={name} /> ({userId}){after}
    </span>
  )
}
