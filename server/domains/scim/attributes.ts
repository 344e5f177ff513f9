import * as z from 'zod/mini'
import { email as emailSchema, lineOrEmpty, phoneNumber } from '../../../contract/fields.ts'
import { refuseScim } from '../../http/scim-failure.ts'

/** URNs of the schemas. */
export const URN = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
} as const

/** Texts of a user that are kept as they are, besides userName and externalId. A dot separates a part of a complex attribute. */
const TEXTS = [
  'displayName',
  'title',
  'nickName',
  'preferredLanguage',
  'locale',
  'timezone',
  'userType',
  'name.formatted',
  'name.familyName',
  'name.givenName',
  'name.middleName',
  `${URN.enterprise}.employeeNumber`,
  `${URN.enterprise}.department`,
  `${URN.enterprise}.division`,
  `${URN.enterprise}.organization`,
  `${URN.enterprise}.costCenter`,
] as const

/** Attributes of the standard that Maru does not keep. They are accepted, so that a client may send them. */
const IGNORED = new Set(
  `schemas profileurl password ims photos addresses entitlements roles x509certificates name.honorificprefix
    name.honorificsuffix ${URN.enterprise}.manager`
    .toLowerCase()
    .split(/\s+/),
)

/** Attributes that only the server writes. */
const READ_ONLY = new Set(['id', 'meta', 'groups'])

const canonical = new Map(TEXTS.map((path) => [path.toLowerCase(), path]))
const LISTS = new Map([
  ['emails', 'emails'],
  ['phonenumbers', 'phoneNumbers'],
] as const)
const COMPLEX = new Set(['name', URN.enterprise.toLowerCase()])

/** An email address or a phone number. */
export interface Contact {
  value: string
  type?: string | undefined
  primary?: boolean | undefined
}

/** A user as a provider describes it. */
export interface Attributes {
  userName: string
  externalId: string | null
  active: boolean
  /** By the paths of TEXTS. */
  texts: Map<string, string>
  emails: Contact[]
  phoneNumbers: Contact[]
}

/** Attributes of a user that has none yet. */
export const noAttributes = (): Attributes => ({
  userName: '',
  externalId: null,
  active: true,
  texts: new Map(),
  emails: [],
  phoneNumbers: [],
})

const MAX_TEXT = 300
const MAX_CONTACTS = 10

const text = lineOrEmpty(MAX_TEXT)
const lower = (value: string) => value.trim().toLowerCase()

/** Returns a text, or a number as one. Null is an empty text. */
export function textOf(value: unknown, path: string): string {
  const parsed = z.safeParse(text, typeof value === 'number' ? String(value) : (value ?? ''))
  return parsed.success
    ? parsed.data
    : refuseScim('invalidValue', `${path} is not a text of at most ${MAX_TEXT} characters`)
}

/** Returns a truth value; Entra sends "True" and "False". */
export function truthOf(value: unknown, path: string): boolean {
  const given = typeof value === 'string' ? lower(value) : value
  if (given === true || given === 'true') return true
  return given === false || given === 'false'
    ? false
    : refuseScim('invalidValue', `${path} is not true or false`)
}

/** Returns whether a value is an object and no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function contactOf(value: unknown, path: string, type?: string): Contact {
  const given = isObject(value)
    ? new Map(Object.entries(value).map(([key, part]) => [key.toLowerCase(), part]))
    : null
  const textAt = (key: string) => textOf(given?.get(key), `${path}.${key}`)
  return {
    value: given === null ? textOf(value, path) : textAt('value'),
    type: (given && textAt('type')) || type,
    ...(given?.get('primary') !== undefined && { primary: truthOf(given.get('primary'), `${path}.primary`) }),
  }
}

/** A path of PATCH: an attribute, a filter of its values, and a part of them. */
export interface Path {
  /** In lower case, without the URN of the core schema. */
  name: string
  filter?: { name: string; value: string }
  part?: string
}

const PATH =
  /^([a-z][\w-]*)(?:\[\s*([a-z]+)\s+eq\s+(?:"([^"\\]*)"|(true|false))\s*\])?(?:\.([a-z$][\w-]*))?$/i

/** Parses a path such as `emails[type eq "work"].value`. @throws {ScimRefusal} invalidPath */
export const parsePath = (path: string): Path =>
  pathIn(path) ?? refuseScim('invalidPath', `${quote(path)} is not a path`)

function pathIn(path: string): Path | undefined {
  const trimmed = path.trim()
  const own = [URN.user, URN.group].find((urn) => trimmed.toLowerCase().startsWith(`${urn.toLowerCase()}:`))
  const rest = own === undefined ? trimmed : trimmed.slice(own.length + 1)
  if (/^urn:/i.test(rest)) {
    const isEnterprise = rest.toLowerCase().startsWith(URN.enterprise.toLowerCase())
    const part = rest.slice(URN.enterprise.length + 1).toLowerCase()
    if (!isEnterprise) return { name: 'schemas' }
    return { name: URN.enterprise.toLowerCase(), ...(part !== '' && { part: part.replace(/\..*/s, '') }) }
  }
  const parts = PATH.exec(rest)
  if (parts === null) return undefined
  const [, name, by, quoted, bare, part] = parts
  return {
    name: lower(name ?? ''),
    ...(by !== undefined && { filter: { name: lower(by), value: lower(quoted ?? bare ?? '') } }),
    ...(part !== undefined && { part: lower(part) }),
  }
}

const quote = (path: string) => JSON.stringify(path.slice(0, 100))

/** The kinds of changes of PATCH. */
export type Op = 'add' | 'replace' | 'remove'

/**
 * Changes one attribute. Only names of the lists above are ever written, so names such as `__proto__` change nothing.
 * @param isStrict true for an explicit path: an unknown name is refused instead of ignored
 * @throws {ScimRefusal} invalidPath, invalidValue, mutability
 */
export function change(user: Attributes, op: Op, path: Path, value: unknown, isStrict: boolean): void {
  const { name, part } = path
  const full = part === undefined ? name : `${name}.${part}`
  const list = LISTS.get(name as 'emails')
  const known = canonical.get(full)
  if (READ_ONLY.has(name)) {
    if (isStrict) refuseScim('mutability', `${name} is read-only`)
  } else if (full === 'username') {
    if (op === 'remove') refuseScim('mutability', 'userName is required')
    user.userName = textOf(value, 'userName')
  } else if (full === 'externalid') {
    user.externalId = op === 'remove' ? null : textOf(value, 'externalId') || null
  } else if (full === 'active') {
    if (op === 'remove') refuseScim('mutability', 'active cannot be removed')
    user.active = truthOf(value, 'active')
  } else if (list !== undefined) {
    user[list] = contactsAfter(user[list], op, path, value)
  } else if (known !== undefined) {
    const now = op === 'remove' ? '' : textOf(value, known)
    if (now === '') user.texts.delete(known)
    else user.texts.set(known, now)
  } else if (COMPLEX.has(full)) {
    changeParts(user, op, full, value)
  } else if (!IGNORED.has(full) && !IGNORED.has(name) && isStrict) {
    refuseScim('invalidPath', `the attribute ${quote(full)} is unknown`)
  }
}

/** Changes the parts of a complex attribute that a value names, or removes all. */
function changeParts(user: Attributes, op: Op, name: string, value: unknown): void {
  if (op === 'remove') {
    for (const path of TEXTS) if (lower(path).startsWith(`${name}.`)) user.texts.delete(path)
  } else if (!isObject(value)) refuseScim('invalidValue', `${name} is not an object`)
  else
    for (const [key, part] of Object.entries(value)) change(user, op, { name, part: lower(key) }, part, false)
}

/** Returns the contacts after a change. A filter without a match adds a value, as Entra expects. */
function contactsAfter(
  before: readonly Contact[],
  op: Op,
  { name, filter, part }: Path,
  value: unknown,
): Contact[] {
  const matches = (contact: Contact) => {
    if (filter === undefined) return true
    const held = filter.name === 'primary' ? String(contact.primary === true) : contact[filter.name as 'type']
    return typeof held === 'string' && lower(held) === filter.value
  }
  if (part !== undefined && !['value', 'type', 'primary', 'display'].includes(part))
    refuseScim('invalidPath', `${name} has no part ${quote(part)}`)
  if (filter !== undefined && !['value', 'type', 'primary'].includes(filter.name))
    refuseScim('invalidPath', `${name} cannot be filtered by ${quote(filter.name)}`)
  const type = filter?.name === 'type' ? filter.value : undefined
  let after: Contact[]
  if (op === 'remove') {
    const named = Array.isArray(value) ? value.map((one) => contactOf(one, name).value) : null
    after = before.filter((one) => !(matches(one) && (named === null || named.includes(one.value))))
  } else if (part !== undefined || filter !== undefined) {
    const isPart = part !== undefined && part !== 'value'
    const set = (one: Contact): Contact => {
      if (part === 'primary') return { ...one, primary: truthOf(value, `${name}.primary`) }
      if (part === 'type') return { ...one, type: textOf(value, `${name}.type`) }
      return isPart
        ? one
        : { ...one, ...contactOf(Array.isArray(value) ? value[0] : value, name, one.type ?? type) }
    }
    const [first] = before.filter(matches)
    if (first !== undefined) after = before.map((one) => (one === first ? set(one) : one))
    else after = isPart ? [...before] : [...before, set({ value: '', type })]
  } else {
    const given = (Array.isArray(value) ? value : [value ?? []].flat()).map((one) => contactOf(one, name))
    const values = new Set(given.map((one) => one.value))
    after = op === 'add' ? [...before.filter((one) => !values.has(one.value)), ...given] : given
  }
  const kept = after.filter((one) => one.value !== '')
  return kept.length > MAX_CONTACTS
    ? refuseScim('invalidValue', `${name} has more than ${MAX_CONTACTS} values`)
    : kept
}

/** Changes all attributes that an object names, such as the body of a POST; its keys may be paths too. */
export function changeAll(user: Attributes, op: Op, body: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(body)) {
    const path = pathIn(key)
    if (path !== undefined) change(user, op, path, value, false)
  }
}

const best = (contacts: readonly Contact[], type: string) =>
  contacts.find((one) => one.type !== undefined && lower(one.type) === type) ??
  contacts.find((one) => one.primary) ??
  contacts[0]

const isHangul = (name: string) => /^\p{Script=Hangul}+$/u.test(name)

const fitting = (value: string, max: number) => Array.from(value).slice(0, max).join('').trim()

/** Returns the name of the user in Maru: for a Korean name, family and given name without a blank (rules/scim#fields). */
export function nameOf({ userName, texts }: Attributes): string {
  const [family = '', given = ''] = [texts.get('name.familyName'), texts.get('name.givenName')]
  if (isHangul(family) && isHangul(given)) return fitting(family + given, 50)
  const full = texts.get('displayName') ?? texts.get('name.formatted') ?? `${given} ${family}`.trim()
  return fitting(full || (userName.split('@')[0] ?? ''), 50) || fitting(userName, 50)
}

/** Returns the email of the user in Maru: the one for work, the primary or the first one, else the userName. '' if none is valid. */
export function emailOf({ userName, emails }: Attributes): string {
  for (const value of [best(emails, 'work')?.value, userName]) {
    const parsed = z.safeParse(emailSchema, value)
    if (parsed.success) return parsed.data
  }
  return ''
}

/** Returns the phone number of the user in Maru; '' if none fits the rule, which must not stop the provider. */
export function phoneOf({ phoneNumbers }: Attributes): string {
  const ordered = [best(phoneNumbers, 'mobile'), ...phoneNumbers]
  for (const one of ordered) {
    const parsed = z.safeParse(phoneNumber, one?.value)
    if (parsed.success) return parsed.data
  }
  return ''
}

/** Returns the position of the user in Maru. */
export const positionOf = ({ texts }: Attributes): string => fitting(texts.get('title') ?? '', 50)

/** Returns the organization that the provider names; '' without one. */
export const organizationOf = ({ texts }: Attributes): string =>
  texts.get(`${URN.enterprise}.organization`) ?? ''
