import { lazy, Suspense } from 'react'
import type { FunctionName } from '../../../contract/permissions.ts'
import { isKnownToHold } from '../../session.ts'
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
  if (!isKnownToHold(MAY[record.recordKind]) && !isKnownToHold('autho_audit_search')) return null
  return (
    <Suspense>
      <HistoryCard {...record} />
    </Suspense>
  )
}
