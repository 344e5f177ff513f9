import type { Filters, ListState } from './list-state.ts'

/** The words of an address that say where a list is; `page`, `sort` and `order` beside its filters. */
export type ListWords = Record<string, string | undefined>

/**
 * What an address says of a list. What is left out, or is no page or no column of the list, is as in a fresh one:
 * an address may be typed, cut off, or of an older release.
 */
export function readListState<F extends Filters>(
  words: ListWords,
  defaults: F,
  sortable: readonly string[],
): ListState<F> {
  const filters = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, words[name] ?? value]),
  )
  const by = words['sort']
  return {
    filters: filters as F,
    page: /^[1-9]\d{0,8}$/.test(words['page'] ?? '') ? Number(words['page']) : 1,
    sort:
      by !== undefined && sortable.includes(by)
        ? { by, order: words['order'] === 'desc' ? 'desc' : 'asc' }
        : null,
  }
}

/** The words for a list: only what differs from a fresh one, so that its address is short. */
export function writeListState<F extends Filters>(
  { filters, page, sort }: ListState<F>,
  defaults: F,
): ListWords {
  const given = Object.entries(filters).filter(([name, value]) => value !== defaults[name])
  return {
    ...Object.fromEntries(given),
    ...(page !== 1 && { page: String(page) }),
    ...(sort !== null && { sort: sort.by, order: sort.order }),
  }
}
