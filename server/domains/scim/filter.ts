import { type RawBuilder, sql } from 'kysely'
import { type Filter, parse } from 'scim2-parse-filter'
import { refuseScim } from '../../http/scim-failure.ts'
import { URN } from './attributes.ts'

/** Longest filter in characters: the parser calls itself for each bracket. */
const MAX_LENGTH = 1_000

/** An attribute that a filter may name: the condition of a comparison in a query. */
export interface Filterable {
  /** Expression of the text; null if the attribute has no value. */
  text: RawBuilder<unknown>
  /** True if upper and lower case differ. */
  isExact?: boolean
  /** True for a condition, which compares with true and false. */
  isFlag?: boolean
  /** True for a list: the condition is that the list has the value. */
  has?: (value: string) => RawBuilder<boolean>
}

/** The filterable attributes by name in lower case. */
export type Filterables = ReadonlyMap<string, Filterable>

/**
 * Returns the condition of a filter for a query (RFC 7644).
 * @throws {ScimRefusal} invalidFilter
 */
export function conditionOf(text: string, attributes: Filterables): RawBuilder<boolean> {
  if (text.length > MAX_LENGTH)
    refuseScim('invalidFilter', `the filter is longer than ${MAX_LENGTH} characters`)
  return compile(parsed(text), attributes, '')
}

function parsed(text: string): Filter {
  try {
    return parse(text)
  } catch {
    return refuseScim('invalidFilter', 'the filter cannot be read')
  }
}

function compile(filter: Filter, attributes: Filterables, prefix: string): RawBuilder<boolean> {
  if (filter.op === 'not')
    return sql<boolean>`not coalesce(${compile((filter as { filter: Filter }).filter, attributes, prefix)}, false)`
  if ('filters' in filter) {
    const parts = filter.filters.map((part) => compile(part, attributes, prefix))
    return sql<boolean>`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`
  }
  if ('valFilter' in filter) return compile(filter.valFilter, attributes, `${nameOf(filter.attrPath)}.`)
  if (!('attrPath' in filter)) return refuseScim('invalidFilter', 'the filter cannot be read')
  const name = prefix + nameOf(filter.attrPath)
  const attribute =
    attributes.get(name) ??
    refuseScim('invalidFilter', `the filter names an attribute that cannot be filtered`)
  return compare(filter.op, attribute, 'compValue' in filter ? filter.compValue : null)
}

function nameOf(path: string): string {
  const name = path.toLowerCase()
  const own = [URN.user, URN.group].find((urn) => name.startsWith(`${urn.toLowerCase()}:`))
  return own === undefined ? name : name.slice(own.length + 1)
}

function compare(
  op: string,
  { text, isExact, isFlag, has }: Filterable,
  value: string | number | boolean | null,
): RawBuilder<boolean> {
  if (isFlag === true) {
    const wanted = String(value).toLowerCase()
    if (op === 'pr') return sql<boolean>`true`
    if ((op !== 'eq' && op !== 'ne') || (wanted !== 'true' && wanted !== 'false'))
      refuseScim('invalidFilter', 'compare this attribute with eq or ne and true or false')
    return (wanted === 'true') === (op === 'eq') ? sql<boolean>`${text}` : sql<boolean>`not ${text}`
  }
  if (op === 'pr') return sql<boolean>`coalesce(${text}, '') <> ''`
  if (value === null) return op === 'ne' ? sql<boolean>`${text} is not null` : sql<boolean>`${text} is null`
  const wanted = isExact === true ? String(value) : String(value).toLowerCase()
  if (has !== undefined)
    return op === 'eq' ? has(wanted) : refuseScim('invalidFilter', 'compare this attribute with eq')
  const held = isExact === true ? sql`${text}` : sql`lower(${text})`
  switch (op) {
    case 'eq':
      return sql<boolean>`${held} = ${wanted}`
    case 'ne':
      return sql<boolean>`${held} is distinct from ${wanted}`
    case 'co':
      return sql<boolean>`strpos(${held}, ${wanted}) > 0`
    case 'sw':
      return sql<boolean>`starts_with(${held}, ${wanted})`
    case 'ew':
      return sql<boolean>`right(${held}, length(${wanted})) = ${wanted}`
    default:
      return refuseScim('invalidFilter', `the operator ${op} does not fit this attribute`)
  }
}
