import type { TableSort } from '../ui/sort-header.tsx'
import { storeSize } from './list-size.ts'

/** State of a list: filters, page, order and rows per page. */
export interface ListState<F extends Filters = Filters> {
  filters: F
  page: number
  /** Null for the default order, newest first (rules/lists#order). */
  sort: TableSort | null
  /** Rows per page; undefined for the default of the list (rules/lists#page-size). */
  perPage?: number | undefined
}

/** Values of the filters, by their names in the contract and in the URL. */
export type Filters = Record<string, string>

/** Returns the state of a list with these filters on its first page, in its default order. */
export function freshList<F extends Filters>(filters: F): ListState<F> {
  return { filters, page: 1, sort: null }
}

/** State of a list, and the actions that change it. */
export interface ListControl<F extends Filters = Filters> extends ListState<F> {
  /** Searches with these filters, from page 1 (rules/lists#paging). */
  search: (filters: F) => void
  /** Shows a page of the same search. */
  goTo: (page: number) => void
  /** Shows a saved search with its order and rows per page, from page 1. */
  show: (state: Omit<ListState<F>, 'page'>) => void
  /** Sorts by a column: ascending, then descending, then in the default order; from page 1. */
  sortBy: (key: string) => void
  /** Changes the rows per page and keeps the first shown row in view. Missing if the list has a fixed size. */
  resize?: ((perPage: number) => void) | undefined
  /**
   * Resets all filters to their defaults and searches again. Missing if all have them, and for lists outside
   * the URL.
   */
  clear?: (() => void) | undefined
  /** Changes the state without a new history entry, such as to the last existing page. */
  replace: (state: ListState<F>) => void
}

/** Returns `sort` and `order` of the contract; {} for the default order, and if the column is not one of `columns`. */
function sortInput<C extends string>(sort: TableSort | null, columns: readonly C[]) {
  const column = columns.find((name) => name === sort?.by)
  return column === undefined || sort === null
    ? {}
    : { sort: column, order: sort.order === 'asc' ? ('ASC' as const) : ('DESC' as const) }
}

/**
 * Returns a function that converts the state of a list to the input of its calls: filters and order, without the page.
 * @param filterInput converts the filters
 * @param columns columns by which the calls sort; other orders are left out
 */
export function shownBy<F extends Filters, I extends object, C extends string>(
  filterInput: (filters: F) => I,
  columns: readonly C[],
) {
  return ({ filters, sort }: ListState<F>) => ({ ...filterInput(filters), ...sortInput(sort, columns) })
}

/** Returns the order after a click on a column header: ascending, then descending, then null for the default order. */
function nextSort(sort: TableSort | null, key: string): TableSort | null {
  if (sort?.by !== key) return { by: key, order: 'asc' }
  return sort.order === 'asc' ? { by: key, order: 'desc' } : null
}

/** The storage name and the default rows per page of a list whose rows per page users may change. */
export interface SizedList {
  /** Name of the list in the storage key. */
  list: string
  /** Default rows per page. */
  usual: number
}

/**
 * Creates the actions of a list, except `clear`, on its current state.
 * @param change stores the next state; 'replace' makes no history entry, 'step' makes one
 * @param sized the list, if users may choose its rows per page: `resize` stores the choice
 */
export function controlOf<F extends Filters>(
  state: ListState<F>,
  change: (state: ListState<F>, how: 'step' | 'replace') => void,
  sized?: SizedList,
): ListControl<F> {
  function resize({ list, usual }: SizedList, perPage: number) {
    storeSize(list, usual, perPage)
    const first = (state.page - 1) * (state.perPage ?? usual)
    change({ ...state, perPage, page: Math.floor(first / perPage) + 1 }, 'step')
  }
  return {
    ...state,
    resize: sized && ((perPage) => resize(sized, perPage)),
    search: (filters) => change({ ...state, filters, page: 1 }, 'step'),
    goTo: (page) => change({ ...state, page }, 'step'),
    show: (next) => change({ ...next, page: 1 }, 'step'),
    sortBy: (key) => change({ ...state, sort: nextSort(state.sort, key), page: 1 }, 'step'),
    replace: (next) => change(next, 'replace'),
  }
}
