import { SEARCH_TYPE } from '../../../contract/notices.ts'

/** The search as /notice/search has it in its address (rules/notices#notice-search): page, searchType, searchText. */
export interface NoticeSearch {
  page: number
  /** The Korean word in every language. */
  type: (typeof SEARCH_TYPE)[keyof typeof SEARCH_TYPE]
  text: string
}

/** The words of the address; any of them may be missing. */
export interface SearchWords {
  page?: string
  searchType?: string
  searchText?: string
}

// The longest text that the contract searches.
const LONGEST = 200

/** Reads them; what is missing or makes no sense is its default: 1, 통합검색 and empty. */
export function searchOf({ page, searchType, searchText }: SearchWords): NoticeSearch {
  const number = /^[1-9]\d{0,8}$/.test(page ?? '') ? Number(page) : 1
  const type = Object.values(SEARCH_TYPE).find((word) => word === searchType) ?? SEARCH_TYPE.all
  return { page: number, type, text: (searchText ?? '').slice(0, LONGEST) }
}

/** The words of a search, as the address and the way back from the detail carry them. */
export function wordsOf({ page, type, text }: NoticeSearch): Required<SearchWords> {
  return { page: String(page), searchType: type, searchText: text }
}

/** What the list call is asked: 통합검색 sends the text in both fields. */
export function inputOf({ page, type, text }: NoticeSearch) {
  return {
    searchType: type,
    title: type === SEARCH_TYPE.author ? '' : text,
    author: type === SEARCH_TYPE.title ? '' : text,
    page,
  }
}
