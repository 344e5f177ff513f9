import type { Filter } from 'scim2-parse-filter'
import * as z from 'zod/mini'
import { email as emailSchema, lineOrEmpty, phoneNumber } from '../../../contract/fields.ts'
import { employeeNumber as numberSchema } from '../../../contract/custom-fields.ts'
import { refuseScim } from '../../http/scim-failure.ts'
import type { Step } from './patch.ts'
import { ENTERPRISE, isObject, matches, quote, URN } from './paths.ts'

/**
 * Paths of the texts of a user that are stored as they are, besides userName and externalId. A dot separates the name
 * of a complex attribute and of a sub-attribute.
 */
export const TEXTS = [
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

/** Attributes of the standard that Maru accepts and does not store, also in a strict step of `change`. */
const IGNORED = new Set(
  `schemas profileurl password ims photos addresses entitlements roles x509certificates name.honorificprefix
    name.honorificsuffix manager ${URN.enterprise}.manager`
    .toLowerCase()
    .split(/\s+/),
)

/** Attributes that only the server writes. `change` refuses them in a strict step. */
const READ_ONLY = new Set(['id', 'meta', 'groups'])

/** Paths of TEXTS by their form in lower case. */
const TEXT_PATHS = new Map(TEXTS.map((path) => [path.toLowerCase(), path]))
/** Attributes that are lists of contacts, by their names in lower case. */
const CONTACT_LISTS = new Map([
  ['emails', 'emails'],
  ['phonenumbers', 'phoneNumbers'],
] as const)
/** Names of complex attributes, whose sub-attributes are texts. */
const COMPLEX_NAMES = new Set(['name', ENTERPRISE])

/** Email address or phone number, with its type, such as 'work', and whether it is the primary one. */
export interface Contact {
  value: string
  type?: string | undefined
  primary?: boolean | undefined
}

/** User as a provider describes it. */
export interface Attributes {
  userName: string
  /** ID of the user at the provider; null if the provider states none. */
  externalId: string | null
  active: boolean
  /** Texts by the paths of TEXTS. */
  texts: Map<string, string>
  emails: Contact[]
  phoneNumbers: Contact[]
}

/** Returns the attributes of a user that has none yet. */
export const noAttributes = (): Attributes => ({
  userName: '',
  externalId: null,
  active: true,
  texts: new Map(),
  emails: [],
  phoneNumbers: [],
})

/** Most characters of a text. */
const MAX_TEXT = 300
/** Most email addresses or phone numbers of a user. */
const MAX_CONTACTS = 10

/** Schema of a text that is stored: one line of at most MAX_TEXT characters, which may be empty. */
const text = lineOrEmpty(MAX_TEXT)
/** Returns a text in lower case, without blanks around it. */
const lower = (value: string) => value.trim().toLowerCase()

/**
 * Returns the `value` of a list that has a single object with one, because Entra sends a text as `[{ "value": "…" }]`.
 * Returns anything else unchanged.
 */
const unwrapValue = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && isObject(value[0]) && 'value' in value[0]
    ? value[0].value
    : value

/**
 * Returns the value of an attribute as a text without blanks around it; a number as a text, and '' for null and
 * undefined.
 * @param path of the attribute, for the message
 * @throws {ScimRefusal} invalidValue for anything else, or a text of more than MAX_TEXT characters
 */
export function textOf(value: unknown, path: string): string {
  const given = unwrapValue(value) ?? ''
  const parsed = z.safeParse(text, typeof given === 'number' ? String(given) : given)
  return parsed.success
    ? parsed.data
    : refuseScim('invalidValue', `${path} is not a text of at most ${MAX_TEXT} characters`)
}

/**
 * Returns the value of an attribute as a boolean; also of the texts "True" and "False", which Entra sends.
 * @throws {ScimRefusal} invalidValue for anything else
 */
function booleanOf(value: unknown, path: string): boolean {
  const given = unwrapValue(value)
  if (given === true || given === false) return given
  const word = typeof given === 'string' ? lower(given) : ''
  if (word !== 'true' && word !== 'false') refuseScim('invalidValue', `${path} is not true or false`)
  return word === 'true'
}

/**
 * Returns the contact that a value describes: an object, or the address or number itself. Parts that it lacks are those
 * of `before`.
 * @throws {ScimRefusal} invalidValue
 */
function toContact(value: unknown, path: string, before?: Contact): Contact {
  const given = isObject(value)
    ? new Map(Object.entries(value).map(([key, part]) => [key.toLowerCase(), part]))
    : null
  const textAt = (key: string) => textOf(given?.get(key), `${path}.${key}`)
  return {
    value:
      given === null ? textOf(value, path) : given.has('value') ? textAt('value') : (before?.value ?? ''),
    type: (given && textAt('type')) || before?.type,
    ...(given?.has('primary') && { primary: booleanOf(given.get('primary') ?? false, `${path}.primary`) }),
  }
}

/**
 * Applies one step of a request to the attributes of `user`, in place. Unknown and read-only attributes are ignored, or
 * refused if the step is strict. Only names of the lists above are ever written, so names such as `__proto__` change
 * nothing. After a refusal the attributes may be changed partly.
 * @throws {ScimRefusal} invalidPath, invalidValue, mutability
 */
export function change(user: Attributes, step: Step): void {
  const { op, path, value, isStrict } = step
  const { name, filter, part } = path
  const full = part === undefined ? name : `${name}.${part}`
  const list = CONTACT_LISTS.get(name as 'emails')
  const known = TEXT_PATHS.get(full)
  if (READ_ONLY.has(name)) {
    if (isStrict) refuseScim('mutability', `${name} is read-only`)
  } else if (full === 'username') {
    if (op === 'remove') refuseScim('mutability', 'userName is required')
    user.userName = textOf(value, 'userName')
  } else if (full === 'externalid') {
    user.externalId = op === 'remove' ? null : textOf(value, 'externalId') || null
  } else if (full === 'active') {
    if (op === 'remove') refuseScim('mutability', 'active cannot be removed')
    if (isStrict || value !== null) user.active = booleanOf(value, 'active')
  } else if (list !== undefined) {
    user[list] = applyToContacts(user[list], step)
  } else if (filter !== undefined && !IGNORED.has(name)) {
    if (isStrict) refuseScim('invalidPath', `${name} has no values to filter`)
  } else if (known !== undefined) {
    const now = op === 'remove' ? '' : textOf(value, known)
    if (now === '') user.texts.delete(known)
    else user.texts.set(known, now)
  } else if (COMPLEX_NAMES.has(full)) {
    changeParts(user, step)
  } else if (!IGNORED.has(full) && !IGNORED.has(name) && isStrict) {
    refuseScim('invalidPath', `the attribute ${quote(full)} is unknown`)
  }
}

/**
 * Changes those sub-attributes of a complex attribute that a value names, or removes all for a removal or null.
 * @throws {ScimRefusal} invalidValue if the value is no object
 */
function changeParts(user: Attributes, { op, path: { name }, value }: Step): void {
  if (op === 'remove' || value === null) {
    for (const path of TEXTS) if (lower(path).startsWith(`${name}.`)) user.texts.delete(path)
  } else if (!isObject(value)) refuseScim('invalidValue', `${name} is not an object`)
  else
    for (const [key, part] of Object.entries(value))
      change(user, { op, path: { name, part: lower(key) }, value: part, isStrict: false })
}

/** Returns the type that a filter such as `type eq "work"` names; undefined if it names none. */
function readTypeOf(filter: Filter | undefined): string | undefined {
  if (filter === undefined) return undefined
  if (filter.op === 'and') return filter.filters.map(readTypeOf).find((type) => type !== undefined)
  const isType = filter.op === 'eq' && filter.attrPath.toLowerCase() === 'type'
  return isType ? String(filter.compValue) : undefined
}

/**
 * Returns the contacts of a list after a step, without empty ones and with at most one primary. A filter without a
 * match adds a contact, as Entra expects.
 * @throws {ScimRefusal} invalidPath; invalidValue, also for more than MAX_CONTACTS
 */
function applyToContacts(
  before: readonly Contact[],
  { op, path: { name, filter, part }, value }: Step,
): Contact[] {
  const isMatch = (one: Contact) =>
    filter === undefined ||
    matches(filter, { value: one.value, type: one.type, primary: one.primary === true, display: '' })
  if (part !== undefined && !['value', 'type', 'primary', 'display'].includes(part))
    refuseScim('invalidPath', `${name} has no part ${quote(part)}`)
  const given = () => [value ?? []].flat().map((one) => toContact(one, name))
  const set = (one: Contact): Contact => {
    if (part === 'display') return one
    if (op === 'remove') return { ...one, [part ?? 'type']: undefined }
    if (part === 'primary') return { ...one, primary: booleanOf(value, `${name}.primary`) }
    if (part === 'type') return { ...one, type: textOf(value, `${name}.type`) }
    return { ...one, ...toContact(Array.isArray(value) ? value[0] : value, name, one) }
  }
  let after: Contact[]
  if (op === 'remove' && (part === undefined || part === 'value')) {
    const named = filter === undefined && value !== undefined && value !== null ? given() : null
    after = before.filter((one) => !isMatch(one) || named?.every((other) => other.value !== one.value))
  } else if (part !== undefined || filter !== undefined) {
    const first = before.find(isMatch)
    const isAdded = op !== 'remove' && first === undefined && (part === undefined || part === 'value')
    after = before.map((one) => (one === first ? set(one) : one))
    if (isAdded) after.push(set({ value: '', type: readTypeOf(filter) }))
  } else {
    const values = new Set(given().map((one) => one.value))
    after = [...(op === 'add' ? before.filter((one) => !values.has(one.value)) : []), ...given()]
  }
  const kept = withOnePrimary(
    before,
    after.filter((one) => one.value !== ''),
  )
  return kept.length > MAX_CONTACTS
    ? refuseScim('invalidValue', `${name} has more than ${MAX_CONTACTS} values`)
    : kept
}

/** Returns the contacts with at most one primary: the one that has become primary. */
function withOnePrimary(before: readonly Contact[], after: Contact[]): Contact[] {
  const primaries = after.filter((one) => one.primary)
  const wasPrimary = (one: Contact) => before.some((other) => other.primary && other.value === one.value)
  const chosen = primaries.find((one) => !wasPrimary(one)) ?? primaries[0]
  return after.map((one) => (one.primary && one !== chosen ? { ...one, primary: false } : one))
}

/** Returns the first contact of a type, else the primary one, else the first one; undefined for an empty list. */
const findContact = (contacts: readonly Contact[], type: string) =>
  contacts.find((one) => one.type !== undefined && lower(one.type) === type) ??
  contacts.find((one) => one.primary) ??
  contacts[0]

/** Returns whether a name consists of Hangul alone. False for ''. */
const isHangul = (name: string) => /^\p{Script=Hangul}+$/u.test(name)

/** Returns the first `max` characters of a text. */
const truncate = (value: string, max: number) => Array.from(value).slice(0, max).join('').trim()

/**
 * Returns the name that the user has in Maru (rules/scim#fields): for a Korean name, family and given name without a
 * blank; else the display name or full name, or the start of the userName. At most 50 characters.
 */
export function nameOf({ userName, texts }: Attributes): string {
  const [family = '', given = ''] = [texts.get('name.familyName'), texts.get('name.givenName')]
  if (isHangul(family) && isHangul(given)) return truncate(family + given, 50)
  const full = texts.get('displayName') ?? texts.get('name.formatted') ?? `${given} ${family}`.trim()
  return truncate(full || (userName.split('@')[0] ?? ''), 50) || truncate(userName, 50)
}

/**
 * Returns the email that the user has in Maru: that for work, else the primary or the first one, else the userName; ''
 * if neither is a valid email.
 */
export function emailOf({ userName, emails }: Attributes): string {
  for (const value of [findContact(emails, 'work')?.value, userName]) {
    const parsed = z.safeParse(emailSchema, value)
    if (parsed.success) return parsed.data
  }
  return ''
}

/**
 * Returns the phone number that the user has in Maru: the mobile one, else the first that fits the rule; '' if none
 * does, which must not stop the provider.
 */
export function phoneOf({ phoneNumbers }: Attributes): string {
  const ordered = [findContact(phoneNumbers, 'mobile'), ...phoneNumbers]
  for (const one of ordered) {
    const parsed = z.safeParse(phoneNumber, one?.value)
    if (parsed.success) return parsed.data
  }
  return ''
}

/** Returns the position that the user has in Maru: the title, at most 50 characters; '' without one. */
export const positionOf = ({ texts }: Attributes): string => truncate(texts.get('title') ?? '', 50)

/**
 * Returns the employee number that the user has in Maru; null if there is none that fits the rule, which must not stop
 * the provider.
 */
export const employeeNumberOf = (attributes: Attributes): string | null =>
  numberSchema.safeParse(enterpriseOf(attributes, 'employeeNumber')).data || null

/** Returns a text of the enterprise extension; '' without one. */
export const enterpriseOf = (
  { texts }: Attributes,
  name: 'organization' | 'department' | 'employeeNumber',
): string => texts.get(`${URN.enterprise}.${name}`) ?? ''
