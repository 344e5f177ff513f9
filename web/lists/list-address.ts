import type { PagePath, pages, WordOf } from '../../contract/pages.ts'
import { sizesOf } from './list-size.ts'
import type { Filters, ListState } from './list-state.ts'

/** Query parameters of a list: `page`, `sort`, `order`, `perPage` and its filters. */
export type ListWords = Record<string, string | undefined>

/** Paths of pages that declare the query parameters of a list; other pages would drop them. */
type PageWith<F extends Filters> = {
  [P in PagePath]: 'page' | keyof F extends WordOf<(typeof pages)[P]> ? P : never
}[PagePath]

/** A list whose state is part of the URL. */
export interface UrlList<F extends Filters> {
  /** Path of its page, whose query parameters are the `words` in `contract/pages.ts`. */
  path: PageWith<F>
  /** Default filters, by their names in the contract. */
  filters: F
  /** Keys of the sortable columns. */
  sorts?: readonly string[]
  /** Replaces invalid filters. */
  clean?: (filters: F) => F
  /** Default rows per page; users may choose more (rules/lists#page-size). */
  perPage?: number
  /** True to write default values to the URL, too. */
  isWhole?: boolean
}

/** Converts query parameters to the state of a list and back. */
export interface ListAddress<F extends Filters> {
  read: (words: ListWords) => ListState<F>
  write: (state: ListState<F>) => Record<string, string>
}

/**
 * Creates the conversion between the state of a list and its query parameters. Reads a missing or invalid parameter as
 * its default, because users edit URLs and follow those of older releases. Writes only values that differ from the
 * default, so that the URL is short.
 */
export function listAddress<F extends Filters>(list: UrlList<F>): ListAddress<F> {
  const {
    filters: fresh,
    sorts = [],
    clean = (filters) => filters,
    isWhole = false,
    perPage: usual = 0,
  } = list
  const sizes = sizesOf(usual)
  return {
    read(words) {
      const filters = Object.entries(fresh).map(([name, value]) => [name, words[name] ?? value])
      const by = words['sort']
      return {
        filters: clean(Object.fromEntries(filters) as F),
        page: /^[1-9]\d{0,8}$/.test(words['page'] ?? '') ? Number(words['page']) : 1,
        sort:
          by !== undefined && sorts.includes(by)
            ? { by, order: words['order'] === 'desc' ? 'desc' : 'asc' }
            : null,
        perPage: sizes.find((size) => String(size) === words['perPage']),
      }
    },
    write({ filters, page, sort, perPage }) {
      const size = perPage !== undefined && { perPage: String(perPage) }
      if (isWhole) return { page: String(page), ...filters, ...size }
      const given = Object.entries(filters).filter(([name, value]) => value !== fresh[name])
      return {
        ...Object.fromEntries(given),
        ...(page !== 1 && { page: String(page) }),
        ...(sort !== null && { sort: sort.by, order: sort.order }),
        ...size,
      }
    },
  }
}
