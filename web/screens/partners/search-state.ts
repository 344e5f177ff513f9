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

/** Returns how many of the folded filters are set. */
export function foldedCount({ validFrom, validTo }: PartnerFilters): number {
  return [validFrom, validTo].filter((day) => day !== '').length
}

/** Returns whether the filters are valid. Invalid filters are not searched for; their fields show the error. */
export function isComplete(filters: PartnerFilters): boolean {
  return isDateOrEmpty(filters.validFrom) && isDateOrEmpty(filters.validTo) && inOrder(filters)
}

/** Returns whether the last day is not before the first. Either may be empty. */
export function inOrder({ validFrom, validTo }: PartnerFilters): boolean {
  return validFrom === '' || validTo === '' || validFrom <= validTo
}

type FilterInput = Omit<InputOf<typeof listPartners>, 'page' | 'perPage' | 'sort' | 'order'>

/** Converts the filters to the input of the calls. An invalid date in a URL means no filter. */
export function filterInput(filters: PartnerFilters): FilterInput {
  const end = readDate(filters.validTo)
  return {
    ...filters,
    validFrom: readDate(filters.validFrom) ?? '',
    validTo: end === null ? '' : `${end} 23:59:59`,
    nearLimit: filters.nearLimit === 'Y',
  }
}
