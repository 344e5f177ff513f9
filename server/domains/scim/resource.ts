import {
  type Attributes,
  emailOf,
  employeeNumberOf,
  nameOf,
  phoneOf,
  positionOf,
  TEXTS,
} from './attributes.ts'
import { attributeName, isObject, URN } from './paths.ts'
import type { ManagedUser } from './queries.ts'

/** Returns the attributes of an account as its provider sent them last, with `active` as it is now. */
export function readSentAttributes({ stored, userName, externalId, isActive }: ManagedUser): Attributes {
  const { texts = [], emails = [], phoneNumbers = [] } = stored
  return { userName, externalId, active: isActive, texts: new Map(texts), emails, phoneNumbers }
}

/**
 * Returns the attributes of an account: those that the provider sent, but the values of Maru where they were changed
 * since. So the provider sees the difference and can correct it.
 */
export function mergeAttributes(user: ManagedUser): Attributes {
  const kept = readSentAttributes(user)
  if (nameOf(kept) !== user.name) {
    for (const path of ['name.familyName', 'name.givenName', 'name.formatted']) kept.texts.delete(path)
    kept.texts.set('displayName', user.name)
  }
  if (positionOf(kept) !== user.position) {
    if (user.position === '') kept.texts.delete('title')
    else kept.texts.set('title', user.position)
  }
  if (kept.emails.length === 0 || emailOf(kept) !== user.email)
    kept.emails = [{ value: user.email, type: 'work', primary: true }]
  if (phoneOf(kept) !== user.phoneNumber && user.phoneNumber !== '')
    kept.phoneNumbers = [{ value: user.phoneNumber, type: 'mobile' }]
  if (user.employeeNumber !== null && employeeNumberOf(kept) !== user.employeeNumber)
    kept.texts.set(`${URN.enterprise}.employeeNumber`, user.employeeNumber)
  return kept
}

/**
 * Returns the attributes to store as sent by the provider after a change: new values where the change differs, else
 * those that it sent before. Leaves out values that only Maru has.
 * @param before attributes before the change, as the provider saw them
 */
export function mergeSentAttributes(user: ManagedUser, before: Attributes, after: Attributes): Attributes {
  const described = readSentAttributes(user)
  const isSame = (name: 'emails' | 'phoneNumbers') =>
    JSON.stringify(after[name]) === JSON.stringify(before[name])
  const texts = TEXTS.flatMap((path) => {
    const { texts: source } = after.texts.get(path) === before.texts.get(path) ? described : after
    const text = source.get(path)
    return text === undefined ? [] : [[path, text] as const]
  })
  return {
    ...after,
    texts: new Map(texts),
    emails: isSame('emails') ? described.emails : after.emails,
    phoneNumbers: isSame('phoneNumbers') ? described.phoneNumbers : after.phoneNumbers,
  }
}

/**
 * Returns a user as a resource of SCIM, with the values of `mergeAttributes`, its groups, and links to them.
 * @param base URL of the portal's SCIM
 */
export function userResource(user: ManagedUser, base: string): Record<string, unknown> {
  const { texts, emails, phoneNumbers, ...attributes } = mergeAttributes(user)
  const parts = (prefix: string) =>
    Object.fromEntries(
      [...texts].flatMap(([path, text]) =>
        path.startsWith(`${prefix}.`) ? [[path.slice(prefix.length + 1), text]] : [],
      ),
    )
  const [name, enterprise] = [parts('name'), parts(URN.enterprise)]
  const isEnterprise = Object.keys(enterprise).length > 0
  return {
    schemas: [URN.user, ...(isEnterprise ? [URN.enterprise] : [])],
    id: user.id,
    ...(attributes.externalId !== null && { externalId: attributes.externalId }),
    userName: attributes.userName,
    active: attributes.active,
    ...Object.fromEntries([...texts].filter(([path]) => !path.includes('.'))),
    ...(Object.keys(name).length > 0 && { name }),
    emails,
    ...(phoneNumbers.length > 0 && { phoneNumbers }),
    ...(isEnterprise && { [URN.enterprise]: enterprise }),
    groups: user.groups.map((group) => ({ ...group, $ref: `${base}/Groups/${group.value}` })),
    meta: toMeta('User', user, `${base}/Users/${user.id}`),
  }
}

/** Returns the metadata of a resource: its type, times and URL. */
export const toMeta = (resourceType: string, of: { createdAt: Date; updatedAt: Date }, location: string) => ({
  resourceType,
  created: of.createdAt.toISOString(),
  lastModified: of.updatedAt.toISOString(),
  location,
})

/** Returns the names of attributes in a query parameter, in lower case; none for ''. */
const namesIn = (text: string) =>
  text
    .split(',')
    .map(attributeName)
    .filter((name) => name !== '')

/** Query parameters with the names of attributes that a client wants, or does not want, of a resource. */
export interface Projection {
  attributes: string
  excludedAttributes: string
}

/** Returns whether a client wants an attribute, or a sub-attribute of it. True for all if it names none. */
export function isRequested(name: string, { attributes, excludedAttributes }: Projection): boolean {
  const only = namesIn(attributes)
  if (only.length > 0) return only.some((one) => one === name || one.startsWith(`${name}.`))
  return !namesIn(excludedAttributes).includes(name)
}

/**
 * Returns a resource with the attributes, or sub-attributes, that a client asked for. `id` and `schemas` are always
 * among them.
 */
export function project(resource: Record<string, unknown>, asked: Projection) {
  const isOnly = namesIn(asked.attributes).length > 0
  const names = namesIn(isOnly ? asked.attributes : asked.excludedAttributes)
  if (names.length === 0) return resource
  const entries = Object.entries(resource).flatMap(([key, value]) => {
    const name = key.toLowerCase()
    if (name === 'id' || name === 'schemas') return [[key, value]]
    if (!isRequested(name, asked)) return []
    const parts = names.flatMap((one) => (one.startsWith(`${name}.`) ? [one.slice(name.length + 1)] : []))
    const isWhole = names.includes(name) || parts.length === 0
    return [[key, isWhole ? value : pickParts(value, (part) => parts.includes(part) === isOnly)]]
  })
  return Object.fromEntries(entries) as Record<string, unknown>
}

/** Returns a complex value, or each value of a list, with only those sub-attributes that `isKept` accepts. */
function pickParts(value: unknown, isKept: (part: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => pickParts(one, isKept))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => isKept(key.toLowerCase())))
    : value
}
