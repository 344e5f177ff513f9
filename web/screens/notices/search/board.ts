import { listNotices, NOTICES_PER_PAGE, SEARCH_TYPE, SHOW } from '../../../../contract/notices.ts'
import { query } from '../../../api/query.ts'
import { isOneOf } from '../../../lists/list-url.ts'
import { defineList } from '../../../lists/use-list.ts'

/** Filters of the board that find every notice. */
export const NO_SEARCH: { searchType: string; searchText: string; show: string } = {
  searchType: SEARCH_TYPE.all,
  searchText: '',
  show: SHOW.all,
}

/** Filters of the board. */
export type NoticeFilters = typeof NO_SEARCH

/** Values of `show` in a URL; the default (all) is left out of it. */
const SHOWN = [SHOW.unread, SHOW.toConfirm, SHOW.file] as const

/** Number of characters that a search text is cut to: the most that the contract accepts. */
const LONGEST = 200

/** Returns the search type of a word, which is Korean in every language; any other word means all. */
const typeOf = (word: string) => Object.values(SEARCH_TYPE).find((type) => type === word) ?? SEARCH_TYPE.all

/**
 * Converts the filters of the board to the input of the list call. 통합검색, also the default for an unknown type, sends
 * the text as title and author.
 */
export function inputOf({ searchType, searchText, show }: NoticeFilters) {
  const type = typeOf(searchType)
  const shown = SHOWN.find((value) => value === show)
  return {
    searchType: type,
    title: type === SEARCH_TYPE.title || type === SEARCH_TYPE.all ? searchText : '',
    author: type === SEARCH_TYPE.author || type === SEARCH_TYPE.all ? searchText : '',
    ...(type === SEARCH_TYPE.memo && { memo: searchText }),
    ...(shown !== undefined && { show: shown }),
  }
}

/**
 * Definition of the notice list: its filters, page size and query. Its URL holds the whole search
 * (rules/notices#notice-search), and so does the URL of a notice, for the way back.
 */
export const board = defineList({
  path: '/notice/search',
  filters: NO_SEARCH,
  accepts: { show: isOneOf(SHOWN) },
  clean: ({ searchType, searchText, show }) => ({
    searchType: typeOf(searchType),
    searchText: searchText.slice(0, LONGEST),
    show,
  }),
  always: ['searchType', 'searchText'],
  perPage: NOTICES_PER_PAGE,
  query: ({ filters, page }, perPage) =>
    query(listNotices, { ...inputOf(filters), pinnedFirst: true, page, perPage }),
})

/** URL parameters of a search, which the URLs of notices and of their form carry for the way back. */
export type BoardWords = ReturnType<typeof board.write>
