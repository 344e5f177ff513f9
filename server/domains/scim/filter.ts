import { type RawBuilder, sql } from 'kysely'
import type { Compare, Filter } from 'scim2-parse-filter'
import { refuseScim } from '../../http/scim-failure.ts'
import { attributeName } from './paths.ts'

/** SQL expressions for an attribute that a filter may name. */
export interface Filterable {
  /** SQL expression for the text, flag or time; null if the attribute has no value. */
  text: RawBuilder<unknown>
  /** True if upper and lower case differ. */
  isExact?: boolean
  /** `flag` for an SQL condition, which compares with true and false; `time` for a timestamptz. */
  type?: 'flag' | 'time'
  /** Returns the SQL condition that a list has the value. Only for lists. */
  has?: (value: string) => RawBuilder<boolean>
}

/** Attributes that a filter may name, by their names in lower case. */
export type Filterables = ReadonlyMap<string, Filterable>

/**
 * Returns the SQL condition of a filter. Texts are compared ignoring case, unless the attribute is exact.
 * @param prefix path of the attribute whose values are filtered, with a dot
 * @throws {ScimRefusal} invalidFilter for an attribute or comparison that is not supported
 */
export function toCondition(filter: Filter, attributes: Filterables, prefix = ''): RawBuilder<boolean> {
  if ('filter' in filter)
    return sql<boolean>`not coalesce(${toCondition(filter.filter, attributes, prefix)}, false)`
  if ('filters' in filter) {
    const parts = filter.filters.map((part) => toCondition(part, attributes, prefix))
    return sql<boolean>`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`
  }
  const name = prefix + attributeName(filter.attrPath)
  if ('valFilter' in filter) return toCondition(filter.valFilter, attributes, `${name}.`)
  const attribute =
    attributes.get(name) ??
    refuseScim('invalidFilter', `the filter names an attribute that cannot be filtered`)
  return compare(filter.op, attribute, 'compValue' in filter ? filter.compValue : null)
}

/** Function that returns the SQL condition of a comparison of a value with the wanted one. */
type Operator = (held: RawBuilder<unknown>, wanted: RawBuilder<unknown>) => RawBuilder<boolean>

/** Operators that fit times, too, as functions that return SQL conditions. */
const ORDERS: Partial<Record<Compare['op'], Operator>> = {
  eq: (held, wanted) => sql`${held} = ${wanted}`,
  ne: (held, wanted) => sql`${held} is distinct from ${wanted}`,
  gt: (held, wanted) => sql`${held} > ${wanted}`,
  ge: (held, wanted) => sql`${held} >= ${wanted}`,
  lt: (held, wanted) => sql`${held} < ${wanted}`,
  le: (held, wanted) => sql`${held} <= ${wanted}`,
}
/** Operators that fit texts, as functions that return SQL conditions. */
const OPERATORS: typeof ORDERS = {
  ...ORDERS,
  co: (held, wanted) => sql`strpos(${held}, ${wanted}) > 0`,
  sw: (held, wanted) => sql`starts_with(${held}, ${wanted})`,
  ew: (held, wanted) => sql`right(${held}, length(${wanted})) = ${wanted}`,
}

/**
 * Returns the SQL condition of a comparison; `pr` is true for an attribute that has a value.
 * @throws {ScimRefusal} invalidFilter for an operator that does not fit the type of the attribute
 */
function compare(
  op: Compare['op'] | 'pr',
  { text, isExact, type, has }: Filterable,
  value: Compare['compValue'],
): RawBuilder<boolean> {
  if (type === 'flag') {
    const wanted = String(value).toLowerCase()
    if (op === 'pr') return sql<boolean>`true`
    if ((op !== 'eq' && op !== 'ne') || (wanted !== 'true' && wanted !== 'false'))
      refuseScim('invalidFilter', 'compare this attribute with eq or ne and true or false')
    return (wanted === 'true') === (op === 'eq') ? sql<boolean>`${text}` : sql<boolean>`not ${text}`
  }
  if (op === 'pr') return sql<boolean>`coalesce(${text}::text, '') <> ''`
  if (value === null) return op === 'ne' ? sql<boolean>`${text} is not null` : sql<boolean>`${text} is null`
  if (type === 'time') {
    const wanted = Date.parse(String(value))
    // Milliseconds, because responses have no finer times.
    const held = sql`floor(extract(epoch from ${text}) * 1000)`
    const condition = Number.isNaN(wanted) ? undefined : ORDERS[op]?.(held, sql`${wanted}::bigint`)
    return condition ?? refuseScim('invalidFilter', 'compare this attribute with a time, and not as a text')
  }
  if (has !== undefined)
    return op === 'eq' ? has(String(value)) : refuseScim('invalidFilter', 'compare this attribute with eq')
  // The database folds both, because its rules may differ from those of JavaScript.
  const folded = (one: RawBuilder<unknown>) => (isExact === true ? one : sql`lower(${one})`)
  const condition = OPERATORS[op]?.(folded(text), folded(sql`${String(value)}::text`))
  return condition ?? refuseScim('invalidFilter', 'the operator is unknown')
}
