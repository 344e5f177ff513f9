import { ALL } from '../../../contract/common.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { getKeyStatistics } from '../../../contract/keys.ts'
import { listAddress } from '../../lists/list-address.ts'
import type { Filters } from '../../lists/list-state.ts'
import { readDate } from '../../ui/dates.ts'

/** A search that filters nothing. */
export const NO_FILTERS = {
  issuedFrom: '',
  issuedTo: '',
  provinceName: ALL,
  districtName: ALL,
  affiliationCode: ALL,
  partnerCode: '',
  requesterName: '',
} satisfies Filters

/** The filters of the key history (rules/keys#key-filters). */
export type KeyFilters = typeof NO_FILTERS

/** The same filters in the address of the history and in that of its charts. */
export const keyAddress = listAddress({ path: '/key/search', filters: NO_FILTERS })

/** The filters as the calls take them; what an address says that is no date means no filter. */
export function filterInput(filters: KeyFilters): Required<InputOf<typeof getKeyStatistics>> {
  return {
    ...filters,
    phoneNumber: '',
    issuedFrom: readDate(filters.issuedFrom) ?? '',
    issuedTo: readDate(filters.issuedTo) ?? '',
  }
}
