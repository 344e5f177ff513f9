import { ALL } from '../../../contract/common.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { listPartners } from '../../../contract/partners.ts'
import type { Filters } from '../../lists/list-state.ts'
import { readDate } from '../../ui/dates.ts'

/** A search that filters nothing, by the words that stand in the address. */
export const NO_FILTERS = { code: '', affiliation: ALL, from: '', to: '' } satisfies Filters

/** The filters of the partner search: code and affiliation, then the days of validity. */
export type PartnerFilters = typeof NO_FILTERS

/** How many of the filters that fold away narrow the list. */
export function foldedCount({ from, to }: PartnerFilters): number {
  return [from, to].filter((day) => day !== '').length
}

/** What its field says is wrong is not searched for. */
export function isComplete({ from, to }: PartnerFilters): boolean {
  return [from, to].every((day) => day === '' || readDate(day) !== null) && inOrder({ from, to })
}

/** Whether the last day does not come before the first; either may be open. */
export function inOrder({ from, to }: Pick<PartnerFilters, 'from' | 'to'>): boolean {
  return from === '' || to === '' || from <= to
}

type FilterInput = Omit<InputOf<typeof listPartners>, 'page' | 'perPage' | 'sort' | 'order'>

/** The filters as the calls take them; an invalid day in an address means no filter. */
export function filterInput({ code, affiliation, from, to }: PartnerFilters): FilterInput {
  const end = readDate(to)
  return {
    partnerCode: code,
    affiliationCode: affiliation,
    validFrom: readDate(from) ?? '',
    validTo: end === null ? '' : `${end} 23:59:59`,
  }
}
