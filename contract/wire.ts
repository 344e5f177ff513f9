import type * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'

/**
 * The names of fields on the wire that follow no rule (rules/wire#names). By rule a name is written in upper case
 * (`phoneNumber` ↔ `PHONE_NUMBER`), a time as `…_DATETIME` (`requestedAt` ↔ `REQUEST_DATETIME`) and an array as `…_LIST`
 * (`roles` ↔ `ROLE_LIST`). Used beside the envelope on each side and nowhere else.
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

/** Where calls have their own name for a field, by the start of their path; later entries win. */
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

/** Lists the paths, or the starts of paths, of the calls that alone give a field this wire name; empty for every call. */
export function ownNameIn(name: string, wireName: string): string[] {
  const own = BY_PATH.filter(([, names]) => names[name] === wireName).map(([start]) => start)
  return IRREGULAR[name] === wireName
    ? []
    : own.map((start) => (start.endsWith('/') ? `\`${start}…\`` : `\`${start}\``))
}

/** Whether the value of a field is the name of a field. */
export const holdsFieldName = (field: string): boolean => field === 'sort' || field === 'field'

/** The value of a limit on the wire where there is none; null in the code. */
export const NO_LIMIT = -1

/** A number that may be null and is no limit: null on the wire too. */
const NO_LIMIT_NAMES: ReadonlySet<string> = new Set(['daysLeft'])

/** A field of a schema, however deep. */
export interface SchemaField {
  name: string
  schema: z.ZodMiniType
}

interface Definition {
  type: string
  shape?: Record<string, z.ZodMiniType>
  innerType?: z.ZodMiniType
  [inner: string]: unknown
}

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition

const isSchema = (part: unknown): part is z.ZodMiniType =>
  typeof part === 'object' && part !== null && '_zod' in part && 'parse' in part

/** Lists every field of a schema, however deep. */
export function fieldsOf(schema: z.ZodMiniType): SchemaField[] {
  const { shape = {}, ...inner } = definitionOf(schema)
  const parts = [...Object.values(shape), ...Object.values(inner).flat()].filter(isSchema)
  return [
    ...Object.entries(shape).map(([name, field]) => ({ name, schema: field })),
    ...parts.flatMap((part) => fieldsOf(part)),
  ]
}

/** Returns the type of a field that is present. */
function typeOf(schema: z.ZodMiniType): string {
  const { type, innerType } = definitionOf(schema)
  return innerType === undefined ? type : typeOf(innerType)
}

/** Returns what the codec must know of a field, which its name does not tell. */
function kindOf({ name, schema }: SchemaField): 'flag' | 'limit' | 'array' | undefined {
  const type = typeOf(schema)
  if (type === 'boolean') return 'flag'
  if (type === 'array') return 'array'
  const isNullable = definitionOf(schema).type === 'nullable'
  return isNullable && type === 'number' && !NO_LIMIT_NAMES.has(name) ? 'limit' : undefined
}

/** How deep the fields of a call nest at most, how many different names they have, and how long ones. */
const MAX_DEPTH = 8
const MAX_NAMES = 500
const MAX_NAME_LENGTH = 100

/** The part of a call that decides how its fields are written on the wire. */
export type WireCall = Pick<Endpoint, 'path' | 'input' | 'output'>

/** The names of one call in the code and on the wire, and the fields whose values the wire writes in its own way. */
export interface WireNames {
  /** @returns the field's name on the wire */
  toWire: (name: string) => string
  /** @returns the field's name in the code; of what is no name of this call's wire a text that no schema knows */
  fromWire: (wireName: string) => string
  /** Whether a field says yes or no: 'Y' or 'N' on the wire. */
  isFlag: (name: string) => boolean
  /** Whether a field is a limit: NO_LIMIT on the wire for null. */
  isLimit: (name: string) => boolean
  isArray: (name: string) => boolean
}

const WIRE_NAME = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

const upper = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
const camel = (wireName: string) =>
  wireName.toLowerCase().replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const cache = new WeakMap<WireCall, WireNames>()

/** Returns the names of a call's fields. */
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
    ...fields.map(({ name }): [string, string] => [name, nameByRule(name)]),
    ...glossary,
  ])
  const nameOnWire = (name: string) => written.get(name) ?? nameByRule(name)
  const back = new Map([...written].map(([name, wireName]) => [wireName, name]))
  const nameInCode = (wireName: string) => {
    const name = back.get(wireName) ?? camel(wireName)
    // One name on the wire for each: neither `userId` itself nor AFFILIATION_CODE is one.
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
 * Returns a value as the wire writes it: its fields' names in upper case, true and false as 'Y' and 'N', no limit as -1.
 */
export function toWire(call: WireCall, value: unknown): unknown {
  const names = wireNames(call)
  const write = (entry: unknown, field?: string): unknown => {
    if (typeof entry === 'boolean') return entry ? 'Y' : 'N'
    if (entry === null) return field !== undefined && names.isLimit(field) ? NO_LIMIT : null
    if (typeof entry === 'string') {
      return field !== undefined && holdsFieldName(field) && entry !== '' ? names.toWire(entry) : entry
    }
    if (Array.isArray(entry)) return entry.map((each) => write(each))
    if (typeof entry !== 'object') return entry
    return Object.fromEntries(
      Object.entries(entry).map(([name, each]) => [names.toWire(name), write(each, name)]),
    )
  }
  return write(value)
}

/**
 * Returns a value of the wire as the code writes it. Nothing is checked yet: the schema refuses what is wrong.
 */
export function fromWire(call: WireCall, value: unknown): unknown {
  const { fromWire: nameOf, isFlag, isLimit } = wireNames(call)
  // A file of ten thousand rows says the same dozen names in each, and no call has as many as somebody can make up.
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
      // null is how the code says it; on the wire it is no number.
      if (entry === NO_LIMIT) return null
      if (entry === null) return Number.NaN
    }
    if (field !== undefined && isFlag(field)) return readFlag(entry, field)
    if (typeof entry === 'string') {
      return field !== undefined && holdsFieldName(field) && entry !== '' ? names.fromWire(entry) : entry
    }
    // What lies deeper than any call's fields is refused by the schema as it is.
    if (typeof entry !== 'object' || entry === null || depth > MAX_DEPTH) return entry
    if (Array.isArray(entry)) return entry.map((each) => read(each, depth + 1))
    return Object.fromEntries(
      Object.entries(entry).map(([wireName, each]) => {
        const name = names.fromWire(wireName)
        return [name, read(each, depth + 1, name)]
      }),
    )
  }
  return read(value, 0)
}

/** One flag is `true` or 'Y' on the wire as its caller likes; the others are 'Y' and 'N' alone. */
function readFlag(entry: unknown, field: string): unknown {
  if (entry === 'Y') return true
  if (entry === 'N') return false
  return typeof entry === 'boolean' && field !== 'includeAll' ? String(entry) : entry
}
