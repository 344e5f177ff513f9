import { CamelCasePlugin } from 'kysely'

/**
 * Kysely plugin that converts names between camelCase in code and snake_case in SQL: those of the query builder, and
 * the columns of every row. Raw SQL keeps its names, and nested JSON its keys (design/postgresql#names).
 */
export const camelCaseNames = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** Returns the name of a column in SQL (snake_case) for its name in code. */
export const toColumn = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns an object with the names of columns in SQL as its keys, for JSON that the database reads or stores. */
export function toColumns(values: object): Record<string, unknown> {
  const entries: [string, unknown][] = Object.entries(values)
  return Object.fromEntries(entries.map(([name, value]) => [toColumn(name), value]))
}
