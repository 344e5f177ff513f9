import { lazy, Suspense } from 'react'
import type { FunctionName } from '../../../contract/permissions.ts'
import { useHolds } from '../../frame/use-holds.ts'
import type { HistoryOf } from './history-card.tsx'

// Below the record, and no part of the first load.
const HistoryCard = lazy(() => import('./history-card.tsx'))

const MAY: Record<HistoryOf['recordKind'], FunctionName> = {
  user: 'autho_user_manage',
  partner: 'autho_partner_search',
  notice: 'autho_notice_manage',
}

/** The history of a record under it, for those who may read it; the server decides again. */
export function History(record: HistoryOf) {
  const mayAdminister = useHolds(MAY[record.recordKind])
  const mayReadAll = useHolds('autho_audit_search')
  if (!mayAdminister && !mayReadAll) return null
  return (
    <Suspense>
      <HistoryCard {...record} />
    </Suspense>
  )
}
