import type { Compilable, CompiledQuery } from 'kysely'

/**
 * Most prepared statements of a pool; further ones run unprepared. Each takes about 50 KB per connection in PostgreSQL.
 */
const MAX_STATEMENTS = 100

/** Start of a statement to prepare, because Kysely passes only text and parameters to a connection. */
const MARK = '/* prepare */ '

/**
 * Returns a compiled query for `db.executeQuery` that PostgreSQL parses and plans once per connection, because that takes longer
 * than running a short one. Only for queries whose plan does not depend on the parameters: after five runs PostgreSQL ignores
 * them (design/lists-and-counts#prepared-statements).
 */
export function prepareQuery<O>(query: Compilable<O>): CompiledQuery<O> {
  const statement = query.compile()
  return { ...statement, sql: MARK + statement.sql }
}

/**
 * Creates the names of the prepared statements of a pool.
 * @returns a function that returns the name of a statement; undefined for one that `prepareQuery` did not compile
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    if (text.startsWith(MARK) && names.size < MAX_STATEMENTS && !names.has(text))
      names.set(text, `maru-${names.size}`)
    return names.get(text)
  }
}
