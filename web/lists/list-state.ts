import type { TableSort } from '../ui/sort-header.tsx'
import { storeSize } from './list-size.ts'

/** What a list shows: its filters (of which each is a text), its page, and what it is sorted by. */
export interface ListState<F extends Filters = Filters> {
  filters: F
  page: number
  /** null: the list's own order, newest first (rules/lists#order). */
  sort: TableSort | null
  /** Rows a page, where they are not the list's own number (rules/lists#page-size). */
  perPage?: number | undefined
}

/** Filters by their names in the contract, which stand in the address too. */
export type Filters = Record<string, string>

/** The first page of a list in its own order. */
export function freshList<F extends Filters>(filters: F): ListState<F> {
  return { filters, page: 1, sort: null }
}

/** A list's state and what a person does with it; its maker decides where it is kept. */
export interface ListControl<F extends Filters = Filters> extends ListState<F> {
  /** Search submit: these filters, from page 1 (rules/lists#paging). */
  search: (filters: F) => void
  goTo: (page: number) => void
  /** Another search with its order and rows a page, from page 1: one that was saved. */
  show: (state: Omit<ListState<F>, 'page'>) => void
  /** A header was pressed: ascending, descending, and back to the list's own order; from page 1. */
  sortBy: (key: string) => void
  /** Other rows a page: the first of those that are shown stays in sight. None where the list has one number alone. */
  resize?: ((perPage: number) => void) | undefined
  /** Drops what narrows the list and searches again; none where nothing narrows it. */
  clear?: (() => void) | undefined
  /** Puts the list elsewhere without a step that 'back' would lead to: what was remembered, the last page there is. */
  replace: (state: ListState<F>) => void
}

/** `sort` and `order` of the contract's `sorting`; the keys of the columns are its names. */
function sortInput<C extends string>(sort: TableSort | null, columns: readonly C[]) {
  const column = columns.find((name) => name === sort?.by)
  return column === undefined || sort === null
    ? {}
    : { sort: column, order: sort.order === 'asc' ? ('ASC' as const) : ('DESC' as const) }
}

/**
 * What a list shows, as the calls take it that list and export it: all but the page.
 * @param filterInput the filters as these calls take them
 * @param columns what they sort by
 */
export function shownBy<F extends Filters, I extends object, C extends string>(
  filterInput: (filters: F) => I,
  columns: readonly C[],
) {
  return ({ filters, sort }: ListState<F>) => ({ ...filterInput(filters), ...sortInput(sort, columns) })
}

/** What pressing a header makes of the present order. */
function nextSort(sort: TableSort | null, key: string): TableSort | null {
  if (sort?.by !== key) return { by: key, order: 'asc' }
  return sort.order === 'asc' ? { by: key, order: 'desc' } : null
}

/** A list whose rows a page a person may choose. */
export interface SizedList {
  /** Names it in the browser's storage. */
  list: string
  /** Its own number. */
  usual: number
}

/** The control of a list whose state `change` keeps. */
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
