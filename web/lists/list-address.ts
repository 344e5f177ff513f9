import type { PagePath, pages, WordOf } from '../../contract/pages.ts'
import { sizesOf } from './list-size.ts'
import type { Filters, ListState } from './list-state.ts'

/** The words of an address that say where a list is; `page`, `sort`, `order` and `perPage` beside its filters. */
export type ListWords = Record<string, string | undefined>

/** The pages whose address has words for the page and the filters of a list; the others' would drop them. */
type PageWith<F extends Filters> = {
  [P in PagePath]: 'page' | keyof F extends WordOf<(typeof pages)[P]> ? P : never
}[PagePath]

/** What an address may say of a list. */
export interface Addressed<F extends Filters> {
  /** The page whose address it is, with its `words` in `contract/pages.ts`. */
  path: PageWith<F>
  /** The filters of a fresh list, by their words: the names that the contract gives them. */
  filters: F
  /** The keys of the columns that it sorts by. */
  sorts?: readonly string[]
  /** Takes what makes no sense for missing. */
  clean?: (filters: F) => F
  /** Its own rows a page; there are larger ones (rules/lists#page-size). */
  perPage?: number
  /** The address says all of it, also what is as in a fresh list. */
  isWhole?: boolean
}

/** How a list is read from an address and written into one. */
export interface ListAddress<F extends Filters> {
  read: (words: ListWords) => ListState<F>
  write: (state: ListState<F>) => Record<string, string>
}

/**
 * The address of a list. What is left out of one, or is no page or no column of the list, is as in a fresh one: an
 * address may be typed, cut off, or of an older release. Written is only what differs from a fresh one, so that the
 * address is short.
 */
export function listAddress<F extends Filters>(list: Addressed<F>): ListAddress<F> {
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
