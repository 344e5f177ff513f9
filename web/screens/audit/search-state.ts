import { ALL } from '../../../contract/common.ts'
import type { Filters } from '../../lists/list-state.ts'
import { isDateOrEmpty, readDate } from '../../ui/dates.ts'

/** A search that filters nothing. */
export const NO_FILTERS = {
  changedFrom: '',
  changedTo: '',
  actor: '',
  target: '',
  action: ALL,
  address: '',
} satisfies Filters

/** The filters of the trail (rules/audit#audit-search). */
export type AuditFilters = typeof NO_FILTERS

/** Whether the last day does not come before the first; either may be open. */
export const inOrder = ({ changedFrom, changedTo }: AuditFilters) =>
  changedFrom === '' || changedTo === '' || changedFrom <= changedTo

/** What its field says is wrong is not searched for. */
export const isComplete = (filters: AuditFilters) =>
  isDateOrEmpty(filters.changedFrom) && isDateOrEmpty(filters.changedTo) && inOrder(filters)

/** The filters as the calls take them; what an address says that is no date means no filter. */
export function filterInput(filters: AuditFilters) {
  return {
    ...filters,
    changedFrom: readDate(filters.changedFrom) ?? '',
    changedTo: readDate(filters.changedTo) ?? '',
  }
}
