import { ALL } from '../../../contract/common.ts'
import { ACCESS_OUTCOMES, PERSONAL_ACTS } from '../../../contract/audit.ts'
import type { Filters } from '../../lists/list-state.ts'
import { isOneOf } from '../../lists/list-url.ts'
import { isDateOrEmpty, readDate } from '../../ui/dates.ts'
import { callTitles } from './call-titles.ts'

/** Filters that match every row: those of a search without query parameters, and after a reset. */
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

/** Checks of the filters in a URL, for the list of the page; the others accept every text. */
export const ACCEPTS = {
  accessedFrom: isDateOrEmpty,
  accessedTo: isDateOrEmpty,
  action: isOneOf([...PERSONAL_ACTS, ...callTitles.map(({ name }) => name)]),
  outcome: isOneOf(ACCESS_OUTCOMES),
}

/** Converts the filters to the input of the calls. An invalid date counts as no date. */
export function filterInput(filters: AccessFilters) {
  return {
    ...filters,
    accessedFrom: readDate(filters.accessedFrom) ?? '',
    accessedTo: readDate(filters.accessedTo) ?? '',
  }
}
