import {
  type CompiledQuery,
  type Expression,
  type QueryExecutorProvider,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import type { Language } from '../../contract/messages/language.ts'
import { prepareQuery } from './prepared-statements.ts'
import type { Db } from './database.ts'

/** Requested page of a list; `page` starts at 1 (rules/lists#paging). */
export interface Page {
  page: number
  perPage: number
}

/** Sort order of a list: a column of its contract's `sorting`, or '' for the default order. */
export interface Sort<C extends string> {
  sort: C | ''
  order: 'ASC' | 'DESC'
}

/** Returns the SQL expression for a position in an array, limited to the largest integer of PostgreSQL. */
export const placeIn = (at: number) => sql`${Math.min(at, 2_147_483_647)}::int`

/**
 * Largest number of results of a search by name or phone number for which all users found are recorded in the
 * access log, also those on other pages (rules/audit#counted-people). Above it only the shown users are recorded.
 */
export const COUNTED_PEOPLE = 20

/** Rows that an export fetches per round trip. */
export const ROWS_AT_ONCE = 250

/**
 * Returns a page of a list and the total number of rows. One statement reads both, so they belong to the same time and cost one
 * round trip. `rowNumber` counts down from the total, so a row keeps its number while a user pages (rules/lists#row-numbers).
 * @param list query for every row of the list in its order
 * @param beside query for one row of additional data of the same time, returned as `beside`
 * @returns `rows` is empty for a page after the last one
 */
export async function pageOf<DB, TB extends keyof DB, O extends object, B extends object = object>(
  db: QueryExecutorProvider,
  list: SelectQueryBuilder<DB, TB, O>,
  { page, perPage }: Page,
  beside: RawBuilder<B> = sql<B>`select`,
): Promise<{ totalCount: number; rows: (O & { rowNumber: number })[]; beside: B | undefined }> {
  const offset = (page - 1) * perPage
  const { rows } = await sql<O & B & { totalCount: number }>`
    select * from (${countOf(list)}) as counted cross join (${beside}) as beside
    left join (
      select on_page.*, row_number() over () as place from (${list.limit(perPage).offset(offset)}) as on_page
    ) as numbered on true
    order by place`.execute(db)
  const totalCount = rows[0]?.totalCount ?? 0
  // An empty page is returned as one row with only the count.
  const onPage = totalCount > offset ? rows : []
  return { ...numberedPage(onPage, totalCount, { page, perPage }), beside: rows[0] }
}

/** Function that returns the rows of a page by their IDs, in the order of the IDs. IDs without a row are left out. */
export type RowsByIds<O> = (db: Db, ids: readonly string[]) => Promise<O[]>

/** Marker in a compiled statement that a call replaces by the IDs of its rows. */
const IDS: readonly string[] = []
/** Marker in a compiled statement that a call replaces by the users.id of the reader. */
const READER: readonly string[] = []

/** Length that PostgreSQL assumes for an array of unknown length. Shorter arrays of IDs are filled up to it. */
const PLANNED_IDS = 10

/** SQL placeholder in the rows of `rowsByIds` for users.id of the reader. */
export const readerId = sql<string>`(${READER}::bigint[])[1]`

/**
 * Creates a function that reads the rows of a page by their IDs. The statement is compiled once per language and prepared,
 * because compiling and planning it for every request takes as long as the rest of a list.
 * @param rows query for every row, without an order
 * @param id SQL expression for the ID of a row
 * @returns a function of the language, and of the users.id for `readerId` if rows show values that only this user may read
 */
export function rowsByIds<DB, TB extends keyof DB, O>(
  rows: (db: Db, language: Language) => SelectQueryBuilder<DB, TB, O>,
  id: Expression<string>,
): (language: Language, reader?: string) => RowsByIds<O> {
  const statements = new Map<Language, CompiledQuery<O>>()
  return (language, reader) => async (db, ids) => {
    const statement =
      statements.get(language) ??
      prepareQuery(
        rows(db, language)
          .where(sql<boolean>`${id} = any(${IDS}::bigint[])`)
          .orderBy(sql`array_position(${IDS}::bigint[], ${id})`)
          .$castTo<O>(),
      )
    statements.set(language, statement)
    // For a shorter array PostgreSQL would make a separate plan, which costs more than it saves.
    const missing = Array<string>(Math.max(0, PLANNED_IDS - ids.length)).fill(ids[0] ?? '')
    const known = [...ids, ...missing]
    const parameters = statement.parameters.map((parameter) =>
      parameter === IDS ? known : parameter === READER ? [reader] : parameter,
    )
    return (await db.executeQuery<O>({ ...statement, parameters })).rows
  }
}

/**
 * Returns a page as `pageOf`, for a long list: finds the page by IDs alone, and reads only the rows of the page.
 * @param total query for one row with "totalCount": `countOf` all rows, or a stored count
 * @param ids query for the ID of every row in the order of the list
 * @param rows reads the rows, as `rowsByIds` creates it
 * @param isSteady whether one plan of the first page is good for all parameters: an index has the order of the list
 */
export function pageOfRows<DB, TB extends keyof DB, O>(
  db: Db,
  total: Expression<{ totalCount: number }>,
  ids: SelectQueryBuilder<DB, TB, { id: string }>,
  page: Page,
  rows: RowsByIds<O>,
  isSteady = false,
) {
  // In the statement itself, so that a stored plan takes into account how short a first page is.
  const first = ids.limit(sql.lit(page.perPage))
  const onPage = page.page === 1 ? first : first.offset((page.page - 1) * page.perPage)
  const found = sql<FoundPage>`select total_count, array(${onPage}) as ids from (${total}) as counted`
  return foundPage(db, found, page, rows, isSteady && page.page === 1)
}

/**
 * Returns a page as `pageOf`, for a list whose IDs come from another query.
 * @param ids SQL query for one row with one array: the IDs of every row in the order of the list
 */
export function pageOfIds<O>(db: Db, ids: RawBuilder<unknown>, page: Page, rows: RowsByIds<O>) {
  const offset = (page.page - 1) * page.perPage
  const found = sql<FoundPage>`select coalesce(cardinality(ids), 0) as total_count,
    coalesce(ids[${placeIn(offset + 1)}:${placeIn(offset + page.perPage)}], '{}') as ids from (${ids}) as every_row (ids)`
  return foundPage(db, found, page, rows)
}

/** A page as IDs in their order, and the total number of rows of the list. */
export interface FoundPage {
  totalCount: number
  ids: string[]
  /** users.id of the users whose rows the total counts, for the access log: up to COUNTED_PEOPLE + 1 of them. */
  people?: string[]
}

/**
 * Returns a page as `pageOf`, for a list whose query finds the page itself. The page's IDs and the total belong to the
 * same time, the contents of its rows to a slightly later one. In one statement PostgreSQL took longer to plan both
 * than to run them.
 * @param found SQL query for one row: "totalCount", the IDs of the page, in their order, and optionally `people`
 * @param isSteady whether one plan of it is good for all parameters; true if there are none
 * @returns `people` is empty if `found` has more than COUNTED_PEOPLE
 */
export async function foundPage<O>(
  db: Db,
  found: RawBuilder<FoundPage>,
  page: Page,
  rows: RowsByIds<O>,
  isSteady = false,
): Promise<{ totalCount: number; rows: (O & { rowNumber: number })[]; people: string[] }> {
  const compiled = found.compile(db)
  const statement =
    isSteady || compiled.parameters.length === 0 ? prepareQuery({ compile: () => compiled }) : compiled
  const { totalCount = 0, ids = [], people: counted = [] } = (await db.executeQuery(statement)).rows[0] ?? {}
  const people = counted.length > COUNTED_PEOPLE ? [] : counted
  if (totalCount <= (page.page - 1) * page.perPage) return { totalCount, rows: [], people }
  return { ...numberedPage(await rows(db, ids), totalCount, page), people }
}

/**
 * Counts the rows of a list now, and returns that number and a stream of all rows for an export. Number and rows
 * belong to the same time only if the caller's query is on a snapshot.
 */
export async function everyRowOf<DB, TB extends keyof DB, O>(
  list: SelectQueryBuilder<DB, TB, O>,
): Promise<{ total: number; rows: AsyncIterable<O> }> {
  const { totalCount } = await countOf(list).executeTakeFirstOrThrow()
  return { total: totalCount, rows: list.stream(ROWS_AT_ONCE) }
}

/** Returns the query for the number of rows of a list, as "totalCount". */
export function countOf<DB, TB extends keyof DB, O>(list: SelectQueryBuilder<DB, TB, O>) {
  return list
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)::int`.as('totalCount'))
    .$castTo<{ totalCount: number }>()
}

/**
 * Returns the rows of a page with their `rowNumber`, and the total. The first row of the list has the total as its
 * number.
 */
function numberedPage<R>(rows: readonly R[], totalCount: number, { page, perPage }: Page) {
  const first = totalCount - (page - 1) * perPage
  return { totalCount, rows: rows.map((row, index) => ({ rowNumber: first - index, ...row })) }
}

/**
 * Returns the query with the requested order and a tie-break by `newest`, so that pages have no gaps and no
 * repeats (rules/lists#order). A `sort` of '' gives the default order.
 * @param columns SQL for each column of the contract's `sorting`; texts in collate "C", so that a list has the
 * same order on every database. Null values come last in either direction
 * @param newest the default order and the tie-break: the time and the ID of a row, the newest first
 * @param filled columns that are never null. They need no rule for null values, so PostgreSQL can use their index
 * in either direction
 */
export function inOrder<DB, TB extends keyof DB, O, C extends string>(
  query: SelectQueryBuilder<DB, TB, O>,
  { sort, order }: Sort<C>,
  columns: Record<C, Expression<unknown>>,
  newest: { at: Expression<unknown>; id: Expression<unknown> },
  filled: readonly C[] = [],
): SelectQueryBuilder<DB, TB, O> {
  const direction = order === 'ASC' ? 'asc' : 'desc'
  const sorted =
    sort === ''
      ? query
      : filled.includes(sort)
        ? query.orderBy(columns[sort], direction)
        : query.orderBy(columns[sort], (by) => by[direction]().nullsLast())
  return sorted.orderBy(newest.at, 'desc').orderBy(newest.id, 'desc')
}

/**
 * Returns the SQL expression for a text in the collation of lists: by code point, which is dictionary order in Korean,
 * on every database.
 */
export function byText(column: Expression<string | null>): Expression<string | null> {
  return sql`${column} collate "C"`
}

/**
 * Returns the SQL condition that a text contains another one, ignoring case; %, _ and \\ are ordinary characters
 * (rules/lists#filters).
 * @param text the text to search for; every text contains an empty one
 */
export function contains(column: Expression<string>, text: string): RawBuilder<boolean> {
  const pattern = patternOf(text)
  // Korean and digits have no case, and ignoring case takes twice as long.
  const hasCase = text.toLowerCase() !== text.toUpperCase()
  return hasCase ? sql<boolean>`${column} ilike ${pattern}` : sql<boolean>`${column} like ${pattern}`
}

/** Returns a `like` pattern that matches the text anywhere. */
export function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
