import { listNotices, NOTICES_PER_PAGE, SEARCH_TYPE } from '../../../../contract/notices.ts'
import { query } from '../../../api/query.ts'
import { defineList } from '../../../lists/use-list.ts'

/** A search that finds every notice. */
export const NO_SEARCH: { searchType: string; searchText: string } = {
  searchType: SEARCH_TYPE.all,
  searchText: '',
}

/** Search filters of the board. */
export type NoticeFilters = typeof NO_SEARCH

// The longest text that the contract searches.
const LONGEST = 200

/** The Korean word of a type, in every language; any other word is that of all. */
const typeOf = (word: string) => Object.values(SEARCH_TYPE).find((type) => type === word) ?? SEARCH_TYPE.all

/** Returns the input of the list call. 통합검색 sends the text in both fields. */
export function inputOf({ searchType, searchText }: NoticeFilters) {
  const type = typeOf(searchType)
  return {
    searchType: type,
    title: type === SEARCH_TYPE.title || type === SEARCH_TYPE.all ? searchText : '',
    author: type === SEARCH_TYPE.author || type === SEARCH_TYPE.all ? searchText : '',
    ...(type === SEARCH_TYPE.memo && { memo: searchText }),
  }
}

/** The board. Its URL holds the whole search (rules/notices#notice-search), and so does the URL of a notice, for the way back. */
export const board = defineList({
  path: '/notice/search',
  filters: NO_SEARCH,
  clean: ({ searchType, searchText }) => ({
    searchType: typeOf(searchType),
    searchText: searchText.slice(0, LONGEST),
  }),
  isWhole: true,
  perPage: NOTICES_PER_PAGE,
  query: ({ filters, page }, perPage) =>
    query(listNotices, { ...inputOf(filters), pinnedFirst: true, page, perPage }),
})

/** The words of a search, as the way back from a notice carries them. */
export type BoardWords = ReturnType<typeof board.write>
