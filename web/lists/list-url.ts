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
  /**
   * Returns whether a value of a filter is valid; an invalid one is read as the default. Other filters accept every
   * text.
   */
  accepts?: Partial<Record<keyof F, (value: string) => boolean>>
  /** Replaces invalid filters. */
  clean?: (filters: F) => F
  /** Default rows per page; users may choose more (rules/lists#page-size). */
  perPage?: number
  /**
   * Filters that are written to the URL even if they have their defaults, and so is the page. The order is not
   * written then.
   */
  always?: readonly (keyof F)[]
}

/** Converts query parameters to the state of a list and back. */
export interface ListAddress<F extends Filters> {
  /** Returns the state that query parameters describe. */
  read: (words: ListWords) => ListState<F>
  /** Returns the query parameters of a state. */
  write: (state: ListState<F>) => Record<string, string>
}

/** Returns a predicate for `accepts`, which is true for one of the values. */
export const isOneOf =
  (values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value)

/**
 * Creates the conversion between the state of a list and its query parameters. Reads a missing or invalid parameter as
 * its default, because users edit URLs and follow those of older releases. Writes only values that differ from the
 * default, so that the URL is short.
 */
export function listAddress<F extends Filters>(list: UrlList<F>): ListAddress<F> {
  const { filters: fresh, sorts = [], clean = (filters) => filters, always, perPage: usual = 0 } = list
  const sizes = sizesOf(usual)
  return {
    read(words) {
      const filters = Object.entries(fresh).map(([name, value]) => {
        const given = words[name] ?? value
        return [name, list.accepts?.[name]?.(given) === false ? value : given]
      })
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
      const given = Object.entries(filters).filter(
        ([name, value]) => value !== fresh[name] || always?.includes(name),
      )
      if (always !== undefined) return { page: String(page), ...Object.fromEntries(given), ...size }
      return {
        ...Object.fromEntries(given),
        ...(page !== 1 && { page: String(page) }),
        ...(sort !== null && { sort: sort.by, order: sort.order }),
        ...size,
      }
    },
  }
}
