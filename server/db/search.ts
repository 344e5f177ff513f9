import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * Matches any part of a text, case-insensitively; %, _ and \\ are ordinary characters (rules/lists#filters).
 * @param text what is looked for; empty matches everything
 */
export function contains(column: Expression<string>, text: string): RawBuilder<boolean> {
  return sql<boolean>`${column} ilike ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}
