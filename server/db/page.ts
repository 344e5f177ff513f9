import type { SelectQueryBuilder } from 'kysely'

/** Which page of a list is asked for; PAGE starts at 1 (decisions §2). */
export interface Page {
  PAGE: number
  PER_PAGE: number
}

/** The rows of the page alone. */
export function onPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { PAGE, PER_PAGE }: Page,
): SelectQueryBuilder<DB, TB, O> {
  return query.limit(PER_PAGE).offset((PAGE - 1) * PER_PAGE)
}

/** The rows with their NO, which counts down from the total: a row keeps its number while a person pages (decisions §2). */
export function numbered<R extends object>(
  rows: readonly R[],
  total: number,
  { PAGE, PER_PAGE }: Page,
): (R & { NO: number })[] {
  const first = total - (PAGE - 1) * PER_PAGE
  return rows.map((row, index) => ({ NO: first - index, ...row }))
}
