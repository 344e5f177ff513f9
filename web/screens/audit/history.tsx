import { useQuery } from '@tanstack/react-query'
import { HISTORY_PER_PAGE, listHistory } from '../../../contract/audit.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { query } from '../../api/query.ts'
import { useHolds } from '../../frame/use-holds.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLatePart } from '../../ui/use-late-part.ts'

/** What a history is of. */
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
 * Under a record: who changed it last, and what became of it once that is asked for (rules/audit#history); for those who may
 * administer it. The server decides again.
 */
export function History(record: HistoryOf) {
  const mayAdminister = useHolds(MAY[record.recordKind])
  const mayReadAll = useHolds('autho_audit_search')
  return mayAdminister || mayReadAll ? <HistoryCard {...record} /> : null
}

function HistoryCard(record: HistoryOf) {
  const t = usePortalMessages().history
  const { data } = useQuery(historyQuery(record, 1))
  const { opened, open, close } = useLatePart(loadRows)
  const [last] = data?.rows ?? []
  const who = last && (last.userId === '' ? t.system : `${last.name} (${last.userId})`)
  return (
    <Card
      title={t.title}
      actions={
        <Button
          size="small"
          aria-expanded={opened !== undefined}
          onClick={opened === undefined ? open : close}
        >
          {opened === undefined ? t.open : t.close}
        </Button>
      }
    >
      {opened === undefined ? (
        <p className={layout.quiet}>
          {last !== undefined && t.last(last.changedAt.slice(0, 16), who ?? '', last.action)}
          {data?.totalCount === 0 && t.never}
        </p>
      ) : (
        <opened.HistoryRows {...record} />
      )}
    </Card>
  )
}
