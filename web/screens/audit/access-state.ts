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

/** Returns whether the last day is not before the first. Either may be empty. */
export const inOrder = ({ accessedFrom, accessedTo }: AccessFilters) =>
  accessedFrom === '' || accessedTo === '' || accessedFrom <= accessedTo

/** Returns whether the filters are valid. Invalid filters are not searched for; their fields show the error. */
export const isComplete = (filters: AccessFilters) =>
  isDateOrEmpty(filters.accessedFrom) && isDateOrEmpty(filters.accessedTo) && inOrder(filters)

/** Converts the filters to the input of the calls. An invalid date in a URL means no filter. */
export function filterInput(filters: AccessFilters) {
  return {
    ...filters,
    accessedFrom: readDate(filters.accessedFrom) ?? '',
    accessedTo: readDate(filters.accessedTo) ?? '',
  }
}
