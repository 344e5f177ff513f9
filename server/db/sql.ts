import { type Expression, type RawBuilder, sql } from 'kysely'

/** Column of the name of a code, per language. */
export const nameColumn = { ko: 'nameKo', en: 'nameEn' } as const

/** SQL expression for today in Asia/Seoul, independent of the time zones of server and database. */
export const today = sql<string>`(now() at time zone 'Asia/Seoul')::date`

/**
 * Returns the SQL expression for the start of a day in Asia/Seoul.
 * @param day SQL expression for a date
 */
export function midnight(day: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`((${day})::date::timestamp at time zone 'Asia/Seoul')`
}

/**
 * Returns the SQL query for one row with the days of a time in Asia/Seoul: `today`, and the first days of its `week`
 * (Monday) and `month`.
 */
export function periodsAt(now: Date): RawBuilder<unknown> {
  return sql`select today, date_trunc('week', today::timestamp)::date as week,
    date_trunc('month', today::timestamp)::date as month
    from (select (${now}::timestamptz at time zone 'Asia/Seoul')::date as today) as at`
}

/**
 * Returns the operand of a condition for a set of texts, without duplicates: `where('code', '=', anyOf(codes))`. It
 * uses one parameter for any number of texts. `in` needs one parameter per text, which makes the statement slow to
 * build.
 */
export function anyOf(texts: Iterable<string>): RawBuilder<string> {
  return sql<string>`any(${[...new Set(texts)]}::text[])`
}

/**
 * Returns the SQL expression for a time in the format of the wire: 'YYYY-MM-DD HH:mm:ss' in Asia/Seoul (rules/wire#times); null
 * for null.
 */
export function wireTime(column: Expression<Date>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'Asia/Seoul', 'YYYY-MM-DD HH24:MI:SS')`
}

/** Returns the SQL expression for a text column, with '' instead of null. */
export function orEmpty(column: string): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(column)}, '')`
}

/** Returns the SQL expression for a date in a response, '' for null. */
export function dateText(column: string): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(column)}::text, '')`
}

/** Returns the SQL expression for a time in a response, '' for null. */
export function timeText(column: string): RawBuilder<string> {
  return sql<string>`coalesce(${wireTime(sql.ref(column))}, '')`
}

/** Returns the SQL expression for a time of the wire, 'YYYY-MM-DD HH:mm' in Asia/Seoul, as a time of the database. */
export function fromWireTime(text: string): RawBuilder<Date> {
  return sql<Date>`(${text}::timestamp at time zone 'Asia/Seoul')`
}

/** Approval code of the account of a program (design/partners-and-programs#program-accounts). */
export const PROGRAM = 'PROGRAM'

/**
 * Returns the SQL condition that an account is of a person, not of a program.
 * @param id column with users.id
 */
export function isPerson(id: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(id)} not in (select user_id from program_accounts)`
}

/**
 * Returns the SQL condition that an account may log in today. Only `login_refusal` in the database decides this
 * (rules/account#login-refusals).
 * @param users alias of the users row
 */
export function mayLogIn(users = 'users'): RawBuilder<boolean> {
  return sql<boolean>`login_refusal(${sql.ref(users)}) is null`
}

/**
 * Returns the SQL condition that an affiliation is another company (rules/affiliations#external). A query reads those
 * affiliations once, not for each row.
 * @param affiliationCode SQL expression for its code
 */
export const isExternal = (affiliationCode: RawBuilder<unknown>) =>
  sql<boolean>`(${affiliationCode} = any(array(select unnest(external_affiliations()))))`
