import { useQuery } from '@tanstack/react-query'
import { HISTORY_PER_PAGE, listHistory } from '../../../contract/audit.ts'
import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { query } from '../../api/query.ts'
import { useHasFunction } from '../../frame/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { LatePartButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLatePart } from '../../ui/use-late-part.ts'
import { PersonName } from '../users/record/person-name.tsx'

/** The record whose history is shown. */
export type HistoryOf = Pick<InputOf<typeof listHistory>, 'recordKind' | 'recordId'>

const MAY: Record<HistoryOf['recordKind'], FunctionName> = {
  user: 'autho_user_manage',
  partner: 'autho_partner_search',
  notice: 'autho_notice_manage',
  role: 'autho_role_manage',
  affiliation: 'autho_setting_manage',
  setting: 'autho_setting_manage',
}

/** A page of a history. */
export const historyQuery = (record: HistoryOf, page: number) =>
  query(listHistory, { ...record, page, perPage: HISTORY_PER_PAGE })

const loadRows = () => import('./history-rows.tsx')

/**
 * Shows under a record who changed it last, and its history on demand (rules/audit#history), for users who may administer it. The
 * server checks the permission again.
 */
export function History(record: HistoryOf) {
  const mayAdminister = useHasFunction(MAY[record.recordKind])
  const mayReadAll = useHasFunction('autho_audit_search')
  return mayAdminister || mayReadAll ? <HistoryCard {...record} /> : null
}

function HistoryCard(record: HistoryOf) {
  const t = usePortalMessages().history
  const { data } = useQuery(historyQuery(record, 1))
  const part = useLatePart(loadRows)
  const { opened } = part
  const [last] = data?.rows ?? []
  return (
    <Card title={t.title} actions={<LatePartButton part={part} texts={t} />}>
      {opened === undefined ? (
        <p className={layout.quiet}>
          {last !== undefined && <LastChange {...last} />}
          {data?.totalCount === 0 && t.never}
        </p>
      ) : (
        <opened.HistoryRows {...record} />
      )}
    </Card>
  )
}

/** Says when and by whom in a sentence. The name opens the profile card. */
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
