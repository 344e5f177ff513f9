import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * Matches any part of a text, case-insensitively; %, _ and \\ are ordinary characters (decisions §2).
 * @param text what is looked for; empty matches everything
 */
export function contains(column: Expression<string>, text: string): RawBuilder<boolean> {
  return sql<boolean>`${column} ilike ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}

/** A moment as the wire shows it: 'YYYY-MM-DD HH:mm:ss' in Asia/Seoul (decisions §2). */
export function wireTime(column: Expression<Date>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'Asia/Seoul', 'YYYY-MM-DD HH24:MI:SS')`
}

/** Today in Asia/Seoul, whatever the time zone of server and database. */
export const today = sql<string>`(now() at time zone 'Asia/Seoul')::date`
