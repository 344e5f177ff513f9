import { getPartner, listPartners, PARTNER_SORTS, PARTNERS_PER_PAGE } from '../../../contract/partners.ts'
import { prefetch, query, recordQuery } from '../../api/query.ts'
import { readListState, type ListWords } from '../../lists/list-address.ts'
import { type ListState, wireSort } from '../../lists/list-state.ts'
import { NO_FILTERS, type PartnerFilters, wireFilters } from './search-state.ts'

/* What the partner screens read first, asked for while they are on their way. */

/** What is listed, and exported. */
export const shownPartners = ({ filters, sort }: ListState<PartnerFilters>) => ({
  ...wireFilters(filters),
  ...wireSort(sort, PARTNER_SORTS),
})

/** One page of the partner search. */
export const partnersQuery = (list: ListState<PartnerFilters>) =>
  query(listPartners, { ...shownPartners(list), page: list.page, perPage: PARTNERS_PER_PAGE })

/** For /partner/search. */
export function loadPartnerSearch(words: ListWords): void {
  void prefetch(partnersQuery(readListState(words, NO_FILTERS, PARTNER_SORTS)))
}

/** The partner of /partner/detail. */
export const partnerQuery = (partnerCode: string) => recordQuery(getPartner, { partnerCode })

/** For /partner/detail. */
export function loadPartnerDetail({ partnerCode = '' }: { partnerCode?: string }): void {
  if (partnerCode !== '') void prefetch(partnerQuery(partnerCode))
}
