import { ALL } from '../../../contract/common.ts'
import type { Filters } from '../../lists/list-state.ts'
import { isDateOrEmpty, readDate } from '../../ui/dates.ts'

/** A search that filters nothing. */
export const NO_FILTERS = {
  accessedFrom: '',
  accessedTo: '',
  actor: '',
  subject: '',
  action: ALL,
  address: '',
  outcome: ALL,
} satisfies Filters

/** The filters of the access log (rules/audit#access-search). */
export type AccessFilters = typeof NO_FILTERS

/** Whether the last day does not come before the first; either may be open. */
export const inOrder = ({ accessedFrom, accessedTo }: AccessFilters) =>
  accessedFrom === '' || accessedTo === '' || accessedFrom <= accessedTo

/** What its field says is wrong is not searched for. */
export const isComplete = (filters: AccessFilters) =>
  isDateOrEmpty(filters.accessedFrom) && isDateOrEmpty(filters.accessedTo) && inOrder(filters)

/** The filters as the calls take them; what an address says that is no date means no filter. */
export function filterInput(filters: AccessFilters) {
  return {
    ...filters,
    accessedFrom: readDate(filters.accessedFrom) ?? '',
    accessedTo: readDate(filters.accessedTo) ?? '',
  }
}
