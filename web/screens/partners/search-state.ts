import { ALL } from '../../../contract/common.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { listPartners } from '../../../contract/partners.ts'
import type { Filters } from '../../lists/list-state.ts'
import { isDateOrEmpty, readDate } from '../../ui/dates.ts'

/** A search that filters nothing. */
export const NO_FILTERS = {
  partnerCode: '',
  affiliationCode: ALL,
  validFrom: '',
  validTo: '',
  nearLimit: 'N',
} satisfies Filters

/** The filters of the partner search: code and affiliation, then the days of validity. */
export type PartnerFilters = typeof NO_FILTERS

/** How many of the filters that fold away narrow the list. */
export function foldedCount({ validFrom, validTo }: PartnerFilters): number {
  return [validFrom, validTo].filter((day) => day !== '').length
}

/** What its field says is wrong is not searched for. */
export function isComplete(filters: PartnerFilters): boolean {
  return isDateOrEmpty(filters.validFrom) && isDateOrEmpty(filters.validTo) && inOrder(filters)
}

/** Whether the last day does not come before the first; either may be open. */
export function inOrder({ validFrom, validTo }: PartnerFilters): boolean {
  return validFrom === '' || validTo === '' || validFrom <= validTo
}

type FilterInput = Omit<InputOf<typeof listPartners>, 'page' | 'perPage' | 'sort' | 'order'>

/** The filters as the calls take them; an invalid day in an address means no filter. */
export function filterInput(filters: PartnerFilters): FilterInput {
  const end = readDate(filters.validTo)
  return {
    ...filters,
    validFrom: readDate(filters.validFrom) ?? '',
    validTo: end === null ? '' : `${end} 23:59:59`,
    nearLimit: filters.nearLimit === 'Y',
  }
}
