import { ALL } from '../../../contract/common.ts'
import { AUDIT_ACTIONS, AUDIT_NOUNS, RIGHTS } from '../../../contract/audit-actions.ts'
import type { Filters } from '../../lists/list-state.ts'
import { isOneOf } from '../../lists/list-url.ts'
import { isDateOrEmpty, readDate } from '../../ui/dates.ts'

/** Filters that match every row: those of a search without query parameters, and after a reset. */
export const NO_FILTERS = {
  changedFrom: '',
  changedTo: '',
  actor: '',
  target: '',
  action: ALL,
  address: '',
} satisfies Filters

/** The filters of the audit log (rules/audit#audit-search). */
export type AuditFilters = typeof NO_FILTERS

/** Checks of the filters in a URL, for the list of the page; the others accept every text. */
export const ACCEPTS = {
  changedFrom: isDateOrEmpty,
  changedTo: isDateOrEmpty,
  action: isOneOf([RIGHTS, ...AUDIT_NOUNS, ...AUDIT_ACTIONS]),
}

/** Converts the filters to the input of the calls. An invalid date counts as no date. */
export function filterInput(filters: AuditFilters) {
  return {
    ...filters,
    changedFrom: readDate(filters.changedFrom) ?? '',
    changedTo: readDate(filters.changedTo) ?? '',
  }
}
