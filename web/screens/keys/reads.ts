import { getKeyStatistics, KEY_SORTS, KEYS_PER_PAGE, listKeys, listServices } from '../../../contract/keys.ts'
import { prefetch, query } from '../../api/query.ts'
import { readListState, type ListWords } from '../../lists/list-address.ts'
import { type ListState, wireSort } from '../../lists/list-state.ts'
import { type KeyFilters, NO_FILTERS, wireFilters } from './search-state.ts'

/* What the key screens read first, asked for while they are on their way. */

/** What is listed, and exported. */
export const shownKeys = ({ filters, sort }: ListState<KeyFilters>) => ({
  ...wireFilters(filters),
  ...wireSort(sort, KEY_SORTS),
})

/** One page of the key history. */
export const keysQuery = (list: ListState<KeyFilters>) =>
  query(listKeys, { ...shownKeys(list), page: list.page, perPage: KEYS_PER_PAGE })

/** For /key/search. */
export function loadKeySearch(words: ListWords): void {
  void prefetch(keysQuery(readListState(words, NO_FILTERS, KEY_SORTS)))
}

/** The counts that the charts show. */
export const statisticsQuery = (filters: KeyFilters) => query(getKeyStatistics, wireFilters(filters))

/** For /key/statistics. */
export function loadKeyStatistics(words: ListWords): void {
  void prefetch(statisticsQuery(readListState(words, NO_FILTERS, []).filters))
}

/** The services and their tokens. */
export const servicesQuery = query(listServices, {})

/** For /key/services. */
export function loadServices(): void {
  void prefetch(servicesQuery)
}
