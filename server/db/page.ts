import { type Expression, type SelectQueryBuilder, sql } from 'kysely'

/** Which page of a list is asked for; PAGE starts at 1 (rules/lists#paging). */
export interface Page {
  page: number
  perPage: number
}

/** The rows of the page alone. */
export function onPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { page, perPage }: Page,
): SelectQueryBuilder<DB, TB, O> {
  return query.limit(perPage).offset((page - 1) * perPage)
}

/**
 * The rows with their NO, which counts down from the total: a row keeps its number while a person pages
 * (rules/lists#row-numbers).
 */
export function numbered<R extends object>(
  rows: readonly R[],
  total: number,
  { page, perPage }: Page,
): (R & { rowNumber: number })[] {
  const first = total - (page - 1) * perPage
  return rows.map((row, index) => ({ rowNumber: first - index, ...row }))
}

/** What a list is sorted by: a column of its contract's `sorting`, or '' for its own order. */
export interface Sort<C extends string> {
  sort: C | ''
  order: 'ASC' | 'DESC'
}

/**
 * The rows in the order that is asked for, with a stable tie-break: pages fit together without gap or double
 * (rules/lists#paging).
 * @param columns what each column of the contract's `sorting` is in SQL; texts in collate "C", so that a list sorts
 *   alike on every database. What is empty (null) comes last in either direction.
 * @param newest the list's own order: the moment and the number of a row, the newest first
 */
export function inOrder<DB, TB extends keyof DB, O, C extends string>(
  query: SelectQueryBuilder<DB, TB, O>,
  { sort, order }: Sort<C>,
  columns: Record<C, Expression<unknown>>,
  newest: { at: Expression<unknown>; id: Expression<unknown> },
): SelectQueryBuilder<DB, TB, O> {
  const direction = order === 'ASC' ? 'asc' : 'desc'
  const sorted =
    sort === ''
      ? query
      : columns[sort] === newest.at
        ? // As the index of the list's own order has it: a row without its moment does not exist.
          query.orderBy(newest.at, direction)
        : query.orderBy(columns[sort], (by) => by[direction]().nullsLast())
  return sorted.orderBy(newest.at, 'desc').orderBy(newest.id, 'desc')
}

/** A text as lists sort it: by code point, which is dictionary order in Korean, on every database. */
export function byText(column: Expression<string | null>): Expression<string | null> {
  return sql`${column} collate "C"`
}
