import type * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'

/**
 * The wire names of fields that follow no rule (rules/wire#names). By rule a name is written in upper case
 * (`phoneNumber` ↔ `PHONE_NUMBER`), a time as `…_DATETIME` (`requestedAt` ↔ `REQUEST_DATETIME`) and an array as
 * `…_LIST` (`roles` ↔ `ROLE_LIST`). Only `wireNames` and `ownNameIn` use them; entries of BY_PATH win.
 */
const IRREGULAR: Record<string, string> = {
  affiliationByRequest: 'BELONGTO_BY_REQUEST',
  affiliationCode: 'BELONGTO_CODE',
  affiliationCodes: 'AFFILIATION_CODES',
  affiliationName: 'BELONGTO',
  affiliationRequest: 'BELONGTO_REQUEST',
  affiliations: 'BELONGTO_LIST',
  approval: 'APPROVA',
  approvalCode: 'APPROVA_CODE',
  audienceAffiliations: 'AUDIENCE_AFFILIATIONS',
  audienceRoles: 'AUDIENCE_ROLES',
  bulletName: 'BULLET_CODE_NAME',
  cells: 'CELLS',
  certificationCode: 'CERTIFY_NUMBER',
  certificationType: 'CERTIFY_TYPE_CODE',
  changedAt: 'CHANGE_DATETIME',
  codeGroup: 'HIGH_CODE',
  colleagues: 'COLLEAGUES',
  createdAt: 'CREATE_DATETIME',
  createdBy: 'CREATE_USER_ID',
  currentPassword: 'ORI_PASSWORD',
  decidedAt: 'DECISION_DATETIME',
  deliveries: 'DELIVERY_LIST',
  districtName: 'SIGUNGU_NAME',
  districts: 'SIGUNGU_LIST',
  elsewhere: 'ELSEWHERE_LIST',
  email: 'E_MAIL',
  errors: 'ERRORS',
  expiresAt: 'EXPIRE_DATETIME',
  extendedTo: 'EXTENDED_END',
  file: 'FILE_0',
  fileName: 'ORIGINAL_FILE_NAME',
  fixed: 'FIXED_LIST',
  functions: 'FUNCTIONS',
  groupTitle: 'HIGH_MENU',
  includeAll: 'IS_ALL',
  isNew: 'NEW',
  isOwn: 'MY_PAGE',
  issuedAt: 'ISSUANCE_DATE',
  issuedFrom: 'ISSUANCE_DATETIME_START',
  issuedTo: 'ISSUANCE_DATETIME_END',
  itemTitle: 'LOW_MENU',
  lacks: 'LACKS',
  lastUsedAt: 'LAST_USE_DATETIME',
  latitude: 'Y',
  loggedInAt: 'LOGIN_DATETIME',
  longitude: 'X',
  maxKeysPerDay: 'MAX_KEY_NUM_DAY',
  maxKeysPerMonth: 'MAX_KEY_NUM_MONTH',
  maxKeysPerWeek: 'MAX_KEY_NUM_WEEK',
  maxKeysTotal: 'TOTAL_KEY_NUM',
  message: 'MSG',
  mustChangePassword: 'PASSWORD_CHANGE',
  newAffiliationCode: 'NEW_BELONGTO_CODE',
  newAffiliationName: 'NEW_BELONGTO',
  obstacleCounts: 'OBSTACLE_COUNTS',
  obstacles: 'OBSTACLES',
  occurredAt: 'OCCURRED_DATETIME',
  originalUserId: 'INIT_USER_ID',
  passkeysAt: 'PASSKEYS_AT',
  people: 'PERSON_LIST',
  position: 'RANK',
  provinceCode: 'CTPRVN_CD',
  provinceName: 'SIDO_NAME',
  provinces: 'SIDO_LIST',
  registeredAt: 'REGSTER_DATETIME',
  revokedAt: 'REVOKED_DATETIME',
  revokedBy: 'REVOKE_USER_ID',
  roleCode: 'AUTHORITYS_CODE',
  rowNumber: 'NO',
  rows: 'ROWS',
  searches: 'SEARCHES',
  secrets: 'SECRETS',
  stoppedAt: 'STOPPED_DATETIME',
  storedName: 'SAVE_FILE_NAME',
  storedPath: 'SAVE_PATH',
  suspendedAt: 'SUSPENDED_DATETIME',
  totpLastUsedAt: 'TOTP_LAST_USED_AT',
  unread: 'UNREAD_LIST',
  userIds: 'USER_IDS',
  users: 'USERS',
  validFrom: 'EXPIRY_DATETIME_START',
  validTo: 'EXPIRY_DATETIME_END',
  warnings: 'WARNINGS',
}

/** The wire names of fields that differ between calls, by the start of the path; later entries win. */
const BY_PATH: readonly [start: string, names: Record<string, string>][] = [
  ['/stm/v1/login', { loginId: 'ID', password: 'PW' }],
  ['/stm/v1/check/id', { userId: 'ID' }],
  ['/stm/v1/users', { users: 'DATA', roleName: 'AUTHORITYS' }],
  ['/stm/v1/exp/users', { roleName: 'AUTHORITYS' }],
  ['/stm/v1/chk/import', { roleName: 'AUTHORITYS' }],
  ['/stm/v1/get/withdrawn', { roleName: 'AUTHORITYS' }],
  ['/stm/v1/get/endings', { users: 'DATA' }],
  ['/cm/v1/header', { items: 'DATA' }],
  ['/rol/v1/', { roleCode: 'ROLE_CODE' }],
  ['/bmt/v1/get/noticeList', { author: 'USER_NAME' }],
  ['/bmt/v1/ins/fileInfo', { fileName: 'ORIGINAL_FILE_NAMES' }],
  ['/bmt/v1/del/fileInfo', { storedName: 'DELETE_SAVE_FILE_NAMES' }],
  ['/kmn/v1/', { affiliationName: 'BELONGTO_CODE_NAME', requesterName: 'USER_NAME' }],
  ['/kmn/v1/get/KeyList', { revokedAt: 'REVOKED_DATE' }],
  ['/kmn/v1/exp/KeyList', { revokedAt: 'REVOKED_DATE' }],
  ['/pid/v1/', { affiliationName: 'BELONGTO_CODE_NAME' }],
  ['/pid/v1/chk/PartnerInfo', { partnerCode: 'ID' }],
  ['/pid/v1/get/SigunguList', { provinceCode: 'SIDO_NUMBER' }],
]

/**
 * Returns the only calls that use this wire name for a field: their paths or starts of paths, in Markdown.
 * Empty if every call uses it.
 */
export function ownNameIn(name: string, wireName: string): string[] {
  const own = BY_PATH.filter(([, names]) => names[name] === wireName).map(([start]) => start)
  return IRREGULAR[name] === wireName
    ? []
    : own.map((start) => (start.endsWith('/') ? `\`${start}…\`` : `\`${start}\``))
}

/** Returns whether the value of a field is the name of a field, or a list of names. */
export const holdsFieldName = (field: string): boolean => ['sort', 'field', 'columns'].includes(field)

/** The value on the wire of a limit without a number; null in the code. */
export const NO_LIMIT = -1

/** The numbers that may be null and are not limits: they are null on the wire too. */
const NO_LIMIT_NAMES: ReadonlySet<string> = new Set(['daysLeft'])

/** A field of a schema, at any depth. */
export interface SchemaField {
  name: string
  schema: z.ZodMiniType
}

/** The definition of a schema: its type and the schemas inside. */
interface Definition {
  type: string
  shape?: Record<string, z.ZodMiniType>
  innerType?: z.ZodMiniType
  element?: z.ZodMiniType
  entries?: Record<string, unknown>
  [inner: string]: unknown
}

/** Returns the definition of a schema: its type, and the schemas inside. */
export const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition

/** Returns whether a part of a definition is a schema. */
const isSchema = (part: unknown): part is z.ZodMiniType =>
  typeof part === 'object' && part !== null && '_zod' in part && 'parse' in part

/**
 * Returns every field of a schema, at any depth. A name may appear several times. None for a schema without objects.
 */
export function fieldsOf(schema: z.ZodMiniType): SchemaField[] {
  const { shape = {}, ...inner } = definitionOf(schema)
  const parts = [...Object.values(shape), ...Object.values(inner).flat()].filter(isSchema)
  return [
    ...Object.entries(shape).map(([name, field]) => ({ name, schema: field })),
    ...parts.flatMap((part) => fieldsOf(part)),
  ]
}

/** Returns the values of an enum, also within an array or with a default; none for another schema. */
function valuesOf(schema: z.ZodMiniType): string[] {
  const { innerType, element = innerType, entries = {} } = definitionOf(schema)
  return element === undefined ? Object.keys(entries) : valuesOf(element)
}

/** Returns the type of a field that is present. */
function typeOf(schema: z.ZodMiniType): string {
  const { type, innerType } = definitionOf(schema)
  return innerType === undefined ? type : typeOf(innerType)
}

/** Returns whether a field that is present may be null. */
function isNullable(schema: z.ZodMiniType): boolean {
  const { type, innerType } = definitionOf(schema)
  return type === 'optional' && innerType !== undefined ? isNullable(innerType) : type === 'nullable'
}

/**
 * Returns the kind of a field, which the codec cannot derive from its name; undefined for one whose value is the same
 * on the wire.
 */
function kindOf({ name, schema }: SchemaField): 'flag' | 'limit' | 'array' | undefined {
  const type = typeOf(schema)
  if (type === 'boolean') return 'flag'
  if (type === 'array') return 'array'
  return isNullable(schema) && type === 'number' && !NO_LIMIT_NAMES.has(name) ? 'limit' : undefined
}

/** The greatest depth of the fields of a call. `fromWire` leaves deeper values unchanged. */
const MAX_DEPTH = 8
/** Most wire names whose code names `fromWire` caches per call. */
const MAX_NAMES = 500
/** Longest wire name that is converted, in characters. */
const MAX_NAME_LENGTH = 100

/** The fields of a call that decide how its fields are written on the wire. */
export type WireCall = Pick<Endpoint, 'path' | 'input' | 'output'>

/** The names of one call's fields in the code and on the wire, and the fields whose values differ on the wire. */
export interface WireNames {
  /** Returns the field's name on the wire. */
  toWire: (name: string) => string
  /**
   * Returns the field's name in the code. An invalid wire name gets a `?` in front, which every schema
   * rejects.
   */
  fromWire: (wireName: string) => string
  /** Returns whether a field is a boolean: 'Y' or 'N' on the wire. */
  isFlag: (name: string) => boolean
  /** Returns whether a field is a limit: NO_LIMIT on the wire for null. */
  isLimit: (name: string) => boolean
  isArray: (name: string) => boolean
}

/** A wire name: words in upper case, separated by single underscores. */
const WIRE_NAME = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

/** Returns a name of the code in upper case with underscores. */
const upper = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
/** Returns a wire name in camel case. */
const camel = (wireName: string) =>
  wireName.toLowerCase().replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Names of each call. */
const cache = new WeakMap<WireCall, WireNames>()

/** Returns the names of a call's fields in the code and on the wire. Caches them by call. */
export function wireNames(call: WireCall): WireNames {
  const known = cache.get(call)
  if (known !== undefined) return known
  const glossary = new Map(
    [
      IRREGULAR,
      ...BY_PATH.filter(([start]) => call.path.startsWith(start)).map(([, special]) => special),
    ].flatMap((part) => Object.entries(part)),
  )
  const fields = [...fieldsOf(call.input), ...fieldsOf(call.output)]
  const kinds = new Map(fields.map((field) => [field.name, kindOf(field)]))
  const nameByRule = (name: string) => {
    if (name.endsWith('At')) return `${upper(name.replace(/(ed)?At$/, ''))}_DATETIME`
    const isPluralArray = kinds.get(name) === 'array' && name.endsWith('s')
    return isPluralArray ? `${upper(name.slice(0, -1))}_LIST` : upper(name)
  }
  const written = new Map([
    // Without an output, as in an export, the names of columns are only values.
    ...fields.flatMap(({ name, schema }) =>
      (holdsFieldName(name) ? [name, ...valuesOf(schema)] : [name]).map(
        (one) => [one, nameByRule(one)] as const,
      ),
    ),
    ...glossary,
  ])
  const nameOnWire = (name: string) => written.get(name) ?? nameByRule(name)
  const back = new Map([...written].map(([name, wireName]) => [wireName, name]))
  const nameInCode = (wireName: string) => {
    const name = back.get(wireName) ?? camel(wireName)
    // Each field has one name on the wire: `userId` itself and AFFILIATION_CODE are not accepted.
    return WIRE_NAME.test(wireName) && nameOnWire(name) === wireName ? name : `?${wireName}`
  }
  const names: WireNames = {
    toWire: nameOnWire,
    fromWire: nameInCode,
    isFlag: (name) => kinds.get(name) === 'flag',
    isLimit: (name) => kinds.get(name) === 'limit',
    isArray: (name) => kinds.get(name) === 'array',
  }
  cache.set(call, names)
  return names
}

/**
 * Converts a value to the wire: field names in upper case, booleans to 'Y' and 'N', and a null limit to -1.
 */
export function toWire(call: WireCall, value: unknown): unknown {
  const names = wireNames(call)
  const write = (entry: unknown, field?: string): unknown => {
    if (typeof entry === 'boolean') return entry ? 'Y' : 'N'
    if (entry === null) return field !== undefined && names.isLimit(field) ? NO_LIMIT : null
    if (typeof entry === 'string') {
      return field !== undefined && holdsFieldName(field) && entry !== '' ? names.toWire(entry) : entry
    }
    if (Array.isArray(entry)) return entry.map((each) => write(each, field))
    if (typeof entry !== 'object') return entry
    return Object.fromEntries(
      Object.entries(entry).map(([name, each]) => [names.toWire(name), write(each, name)]),
    )
  }
  return write(value)
}

/**
 * Converts a value from the wire; the reverse of `toWire`. It does not check the value: invalid names and
 * values stay recognizable, and the schema rejects them.
 */
export function fromWire(call: WireCall, value: unknown): unknown {
  const { fromWire: nameOf, isFlag, isLimit } = wireNames(call)
  // Cache names: a file of ten thousand rows repeats the same dozen in each row. The size is limited, because a client can invent
  // any number of names.
  const known = new Map<string, string>()
  const names = {
    fromWire(wireName: string) {
      let name = known.get(wireName)
      if (name !== undefined) return name
      if (known.size >= MAX_NAMES || wireName.length > MAX_NAME_LENGTH) return '?'
      name = nameOf(wireName)
      known.set(wireName, name)
      return name
    },
  }
  const read = (entry: unknown, depth: number, field?: string): unknown => {
    if (field !== undefined && isLimit(field)) {
      // The code writes null; on the wire null is not a number.
      if (entry === NO_LIMIT) return null
      if (entry === null) return Number.NaN
    }
    if (field !== undefined && isFlag(field)) return readFlag(entry, field)
    if (typeof entry === 'string') {
      return field !== undefined && holdsFieldName(field) && entry !== '' ? names.fromWire(entry) : entry
    }
    // Values deeper than any call's fields stay unchanged; the schema rejects them.
    if (typeof entry !== 'object' || entry === null || depth > MAX_DEPTH) return entry
    if (Array.isArray(entry)) return entry.map((each) => read(each, depth + 1, field))
    return Object.fromEntries(
      Object.entries(entry).map(([wireName, each]) => {
        const name = names.fromWire(wireName)
        return [name, read(each, depth + 1, name)]
      }),
    )
  }
  return read(value, 0)
}

/**
 * Returns the boolean of a value on the wire. `includeAll` may be `true` or 'Y'; all others are only 'Y' and 'N'. Any
 * other value stays wrong, so that the schema rejects it.
 */
function readFlag(entry: unknown, field: string): unknown {
  if (entry === 'Y') return true
  if (entry === 'N') return false
  return typeof entry === 'boolean' && field !== 'includeAll' ? String(entry) : entry
}
