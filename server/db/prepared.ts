import type { Compilable, CompiledQuery } from 'kysely'

/** What a connection holds in the database, about 50 KB for each. */
const MOST = 100

const names = new Map<string, string>()

/**
 * Has the database parse and plan a statement once for each connection, and not every time, which takes it longer than to run a
 * short one. Only for a statement whose plan is the same whatever its parameters: after five times PostgreSQL plans
 * without looking at them (ADR 071).
 */
export function prepare(text: string): void {
  if (names.size < MOST && !names.has(text)) names.set(text, `maru-${names.size}`)
}

/** The same of a query: `db.executeQuery(prepared(query))`. */
export function prepared<O>(query: Compilable<O>): CompiledQuery<O> {
  const statement = query.compile()
  prepare(statement.sql)
  return statement
}

/** By which name the database knows a statement; undefined for one that is not prepared. */
export function nameOf(text: string): string | undefined {
  return names.get(text)
}
