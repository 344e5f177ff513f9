import { type Filter, parse } from 'scim2-parse-filter'
import { refuseScim } from '../../http/scim-failure.ts'

/** URNs of the SCIM schemas and messages. */
export const URN = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
} as const

/** Returns whether a value is an object and not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Longest filter in characters: the parser calls itself for each bracket. */
const MAX_LENGTH = 1_000

/** Name of the enterprise extension in paths. */
export const ENTERPRISE = URN.enterprise.toLowerCase()

/** URNs of the core schemas in front of a path, in lower case. */
const CORES = [URN.user, URN.group].map((urn) => `${urn.toLowerCase()}:`)

/** Returns a path without the URN of a core schema. */
function withoutCore(path: string): string {
  const trimmed = path.trim()
  const core = CORES.find((urn) => trimmed.slice(0, urn.length).toLowerCase() === urn)
  return trimmed.slice(core?.length ?? 0)
}

/**
 * Returns the name of an attribute in lower case: without the URN of a core schema, and with a dot after the URN of the
 * enterprise extension.
 */
export function attributeName(path: string): string {
  const name = withoutCore(path).toLowerCase()
  return name.startsWith(`${ENTERPRISE}:`) ? `${ENTERPRISE}.${name.slice(ENTERPRISE.length + 1)}` : name
}

/**
 * Parses a filter (RFC 7644). The parser reads no escapes and no upper-case constants. So each text is replaced by its
 * index while it parses, and true, false and null are changed to lower case.
 * @throws {ScimRefusal} invalidFilter, also for a filter that is too long or contains NUL
 */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH)
    refuseScim('invalidFilter', `the filter is longer than ${MAX_LENGTH} characters`)
  const texts: string[] = []
  const withTexts = (filter: Filter): Filter => {
    if ('filters' in filter) return { ...filter, filters: filter.filters.map(withTexts) }
    if ('filter' in filter) return { ...filter, filter: withTexts(filter.filter) }
    if ('valFilter' in filter) return { ...filter, valFilter: withTexts(filter.valFilter) }
    return 'compValue' in filter && typeof filter.compValue === 'string'
      ? { ...filter, compValue: texts[Number(filter.compValue)] ?? '' }
      : filter
  }
  try {
    const indexed = text.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/gis, (part) =>
      part.startsWith('"') ? `"${texts.push(String(JSON.parse(part))) - 1}"` : part.toLowerCase(),
    )
    if (texts.some((one) => one.includes('\0'))) throw new Error('no text of the database has NUL')
    return withTexts(parse(indexed))
  } catch {
    return refuseScim('invalidFilter', 'the filter cannot be read')
  }
}

/** Path of an attribute in a PATCH or filter: the attribute, a filter of its values, and their sub-attribute. */
export interface Path {
  /** In lower case, without the URN of the core schema. */
  name: string
  filter?: Filter
  part?: string
}

/** Pattern of a path: attribute, filter in brackets, and sub-attribute. */
const PATH = /^([a-z][\w-]*)(?:\[(.+)\])?(?:\.([a-z$][\w$-]*))?$/is

/**
 * Parses a path such as `emails[type eq "work"].value`.
 * @throws {ScimRefusal} invalidPath, invalidFilter
 */
export const parsePath = (path: string): Path =>
  parseKey(path) ?? refuseScim('invalidPath', `${quote(path)} is not a path`)

/**
 * Parses a key of an object, which may be a path. Attributes of unknown extensions become `schemas`, which is ignored.
 * @returns undefined for a key that is no path
 * @throws {ScimRefusal} invalidFilter
 */
export function parseKey(path: string): Path | undefined {
  const name = attributeName(path)
  if (name === ENTERPRISE) return { name }
  if (name.startsWith(`${ENTERPRISE}.`))
    return { name: ENTERPRISE, part: name.slice(ENTERPRISE.length + 1).replace(/\..*/s, '') }
  // Attributes of other extensions are ignored, as `schemas` is.
  if (name.startsWith('urn:')) return { name: 'schemas' }
  const parts = PATH.exec(withoutCore(path))
  if (parts === null) return undefined
  const [, attribute = '', filter, part] = parts
  return {
    name: attribute.toLowerCase(),
    ...(filter !== undefined && { filter: parseFilter(filter) }),
    ...(part !== undefined && { part: part.toLowerCase() }),
  }
}

/** Returns the first 100 characters of a text in quotes, for an error message. */
export const quote = (text: string) => JSON.stringify(text.slice(0, 100))

/** Operators of the filter of a path, for `matches`: it refuses others. */
const OPERATORS: Partial<Record<string, (held: string, wanted: string) => boolean>> = {
  eq: (held, wanted) => held === wanted,
  ne: (held, wanted) => held !== wanted,
  co: (held, wanted) => held.includes(wanted),
  sw: (held, wanted) => held.startsWith(wanted),
  ew: (held, wanted) => held.endsWith(wanted),
}

/**
 * Returns whether one value of a list, such as an email, matches the filter of a path, ignoring case.
 * @param parts the sub-attributes of the value, such as `value` and `type`
 * @throws {ScimRefusal} invalidPath for an unknown sub-attribute or an operator that does not fit
 */
export function matches(
  filter: Filter,
  parts: Readonly<Record<string, string | boolean | undefined>>,
): boolean {
  if ('filter' in filter) return !matches(filter.filter, parts)
  if ('filters' in filter)
    return filter.op === 'and'
      ? filter.filters.every((one) => matches(one, parts))
      : filter.filters.some((one) => matches(one, parts))
  const name = filter.attrPath.toLowerCase()
  if ('valFilter' in filter || !Object.hasOwn(parts, name))
    return refuseScim('invalidPath', 'the filter of the path names an unknown part')
  const held = String(parts[name] ?? '').toLowerCase()
  if (!('compValue' in filter)) return held !== ''
  const wanted = String(filter.compValue ?? '').toLowerCase()
  const isMatch = OPERATORS[filter.op]?.(held, wanted)
  return isMatch ?? refuseScim('invalidPath', `the operator ${filter.op} does not fit a path`)
}
