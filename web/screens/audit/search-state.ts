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

/** Returns whether the last day is not before the first. Either may be empty. */
export const inOrder = ({ changedFrom, changedTo }: AuditFilters) =>
  changedFrom === '' || changedTo === '' || changedFrom <= changedTo

/** Returns whether the filters are valid. Invalid filters are not searched for; their fields show the error. */
export const isComplete = (filters: AuditFilters) =>
  isDateOrEmpty(filters.changedFrom) && isDateOrEmpty(filters.changedTo) && inOrder(filters)

/** Converts the filters to the input of the calls. An invalid date in a URL means no filter. */
export function filterInput(filters: AuditFilters) {
  return {
    ...filters,
    changedFrom: readDate(filters.changedFrom) ?? '',
    changedTo: readDate(filters.changedTo) ?? '',
  }
}
