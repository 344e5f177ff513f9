import { ALL } from '../../../contract/common.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { getKeyStatistics } from '../../../contract/keys.ts'
import type { Filters } from '../../lists/list-state.ts'
import { readDate } from '../../ui/dates.ts'

/** A search that filters nothing, by the words that stand in the address. */
export const NO_FILTERS = {
  from: '',
  to: '',
  province: ALL,
  district: ALL,
  affiliation: ALL,
  requester: '',
} satisfies Filters

/** The filters of the key history (rules/keys#key-filters). */
export type KeyFilters = typeof NO_FILTERS

/** The filters as the calls take them; what an address says that is no date means no filter. */
export function filterInput(filters: KeyFilters): Required<InputOf<typeof getKeyStatistics>> {
  return {
    affiliationCode: filters.affiliation,
    requesterName: filters.requester,
    phoneNumber: '',
    issuedFrom: readDate(filters.from) ?? '',
    issuedTo: readDate(filters.to) ?? '',
    provinceName: filters.province,
    districtName: filters.district,
  }
}

/** The words of an address that shows these filters: only what narrows. */
export function wordsOf(filters: Partial<KeyFilters>): Partial<KeyFilters> {
  return Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => value !== NO_FILTERS[name as keyof KeyFilters]),
  )
}
