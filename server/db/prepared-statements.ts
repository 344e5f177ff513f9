import type { Compilable, CompiledQuery } from 'kysely'

/** Maximum number of prepared statements. Each takes about 50 KB per connection in PostgreSQL. */
const MAX_STATEMENTS = 100

const names = new Map<string, string>()

/**
 * Makes PostgreSQL parse and plan a statement once per connection, because that takes longer than running a short one. Only for
 * statements whose plan does not depend on the parameters: after five runs PostgreSQL ignores them (design/lists-and-counts#prepared-statements).
 */
export function prepareStatement(text: string): void {
  if (names.size < MAX_STATEMENTS && !names.has(text)) names.set(text, `maru-${names.size}`)
}

/** Compiles and prepares a query: `db.executeQuery(prepareQuery(query))`. */
export function prepareQuery<O>(query: Compilable<O>): CompiledQuery<O> {
  const statement = query.compile()
  prepareStatement(statement.sql)
  return statement
}

/** Returns the name of a prepared statement; undefined for any other statement. */
export function statementName(text: string): string | undefined {
  return names.get(text)
}
