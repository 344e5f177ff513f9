/**
 * The names of fields on the wire (rules/wire#names). Code speaks English nouns in camelCase; on the wire they are
 * upper-case, most by rule (`phoneNumber` ↔ `PHONE_NUMBER`), some by this glossary. Used beside the envelope on each
 * side and nowhere else.
 */
const IRREGULAR: Record<string, string> = {
  accessedAt: 'ACCESS_DATETIME',
  askedAt: 'ASK_DATETIME',
  adminNetworks: 'ADMIN_NETWORK_LIST',
  affiliationCode: 'BELONGTO_CODE',
  affiliationName: 'BELONGTO',
  affiliationByRequest: 'BELONGTO_BY_REQUEST',
  affiliationRequest: 'BELONGTO_REQUEST',
  affiliations: 'BELONGTO_LIST',
  approval: 'APPROVA',
  approvalCode: 'APPROVA_CODE',
  bulletName: 'BULLET_CODE_NAME',
  certificationCode: 'CERTIFY_NUMBER',
  certificationType: 'CERTIFY_TYPE_CODE',
  changedAt: 'CHANGE_DATETIME',
  changes: 'CHANGE_LIST',
  choices: 'CHOICE_LIST',
  codeGroup: 'HIGH_CODE',
  comments: 'COMMENT_LIST',
  createdAt: 'CREATE_DATETIME',
  createdBy: 'CREATE_USER_ID',
  currentPassword: 'ORI_PASSWORD',
  days: 'DAY_LIST',
  decidedAt: 'DECISION_DATETIME',
  districtName: 'SIGUNGU_NAME',
  districts: 'SIGUNGU_LIST',
  elsewhere: 'ELSEWHERE_LIST',
  email: 'E_MAIL',
  endedAt: 'END_DATETIME',
  erasedKinds: 'ERASED_KIND_LIST',
  expiresAt: 'EXPIRE_DATETIME',
  extendedTo: 'EXTENDED_END',
  factorRoles: 'FACTOR_ROLE_LIST',
  factors: 'FACTOR_LIST',
  facts: 'FACT_LIST',
  file: 'FILE_0',
  fileName: 'ORIGINAL_FILE_NAME',
  files: 'FILE_LIST',
  findingIds: 'FINDING_ID_LIST',
  findings: 'FINDING_LIST',
  firstAt: 'FIRST_DATETIME',
  fixed: 'FIXED_LIST',
  groupTitle: 'HIGH_MENU',
  includeAll: 'IS_ALL',
  isNew: 'NEW',
  isOwn: 'MY_PAGE',
  itemIds: 'ITEM_ID_LIST',
  issuedAt: 'ISSUANCE_DATE',
  issuedFrom: 'ISSUANCE_DATETIME_START',
  issuedTo: 'ISSUANCE_DATETIME_END',
  itemTitle: 'LOW_MENU',
  keys: 'KEY_LIST',
  kinds: 'KIND_LIST',
  lastAt: 'LAST_DATETIME',
  lastLoginAt: 'LAST_LOGIN_DATETIME',
  lastUsedAt: 'LAST_USE_DATETIME',
  latitude: 'Y',
  loggedInAt: 'LOGIN_DATETIME',
  longitude: 'X',
  maxKeysPerDay: 'MAX_KEY_NUM_DAY',
  maxKeysPerMonth: 'MAX_KEY_NUM_MONTH',
  maxKeysPerWeek: 'MAX_KEY_NUM_WEEK',
  maxKeysTotal: 'TOTAL_KEY_NUM',
  madeAt: 'MADE_DATETIME',
  message: 'MSG',
  mustChangePassword: 'PASSWORD_CHANGE',
  newAffiliationCode: 'NEW_BELONGTO_CODE',
  newAffiliationName: 'NEW_BELONGTO',
  notices: 'NOTICE_LIST',
  notificationIds: 'NOTIFICATION_ID_LIST',
  notifications: 'NOTIFICATION_LIST',
  offices: 'OFFICE_LIST',
  originalUserId: 'INIT_USER_ID',
  partners: 'PARTNER_LIST',
  parts: 'PART_LIST',
  passkeys: 'PASSKEY_LIST',
  people: 'PERSON_LIST',
  pictures: 'PICTURE_LIST',
  position: 'RANK',
  problems: 'PROBLEM_LIST',
  programs: 'PROGRAM_LIST',
  provinceCode: 'CTPRVN_CD',
  provinceName: 'SIDO_NAME',
  provinces: 'SIDO_LIST',
  publishAt: 'PUBLISH_DATETIME',
  recoveryCodes: 'RECOVERY_CODE_LIST',
  registeredAt: 'REGSTER_DATETIME',
  remarkedAt: 'REMARK_DATETIME',
  requestedAt: 'REQUEST_DATETIME',
  requests: 'REQUEST_LIST',
  requirements: 'REQUIREMENT_LIST',
  revokedAt: 'REVOKED_DATETIME',
  revokedBy: 'REVOKE_USER_ID',
  roleCode: 'AUTHORITYS_CODE',
  roles: 'ROLE_LIST',
  rules: 'RULE_LIST',
  rowNumber: 'NO',
  services: 'SERVICE_LIST',
  sessions: 'SESSION_LIST',
  searchedAt: 'SEARCH_DATETIME',
  signedAt: 'SIGN_DATETIME',
  steps: 'STEP_LIST',
  stoppedAt: 'STOPPED_DATETIME',
  subjects: 'SUBJECT_LIST',
  storedName: 'SAVE_FILE_NAME',
  storedPath: 'SAVE_PATH',
  suspendedAt: 'SUSPENDED_DATETIME',
  takenAt: 'TAKEN_DATETIME',
  unread: 'UNREAD_LIST',
  uploads: 'UPLOAD_LIST',
  withdrawnAt: 'WITHDRAWN_DATETIME',
  values: 'VALUE_LIST',
  validFrom: 'EXPIRY_DATETIME_START',
  validTo: 'EXPIRY_DATETIME_END',
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

/** Whether the value of a field is the name of a field. */
export const holdsFieldName = (field: string): boolean => field === 'sort' || field === 'field'

/** Fields that say yes or no: 'Y' or 'N' on the wire. */
const FLAGS: ReadonlySet<string> = new Set([
  'acknowledged',
  'affiliationByRequest',
  'allowAcknowledgements',
  'allowComments',
  'builtIn',
  'changeable',
  'closed',
  'comparable',
  'confirmed',
  'current',
  'decidable',
  'done',
  'emailShown',
  'editable',
  'edited',
  'enabled',
  'grantable',
  'includeAll',
  'invited',
  'isNew',
  'isDefault',
  'isOwn',
  'mailMissing',
  'mayLogIn',
  'mustChangePassword',
  'hasFactor',
  'alone',
  'ownFactor',
  'mayConfirm',
  'involved',
  'passwordEnds',
  'ownRequest',
  'mustRead',
  'mustSetUpFactor',
  'nearLimit',
  'noticeAcknowledgements',
  'noticeComments',
  'ownRemark',
  'passwordDisabled',
  'phoneShown',
  'pinned',
  'pinnedFirst',
  'placeKnown',
  'reached',
  'read',
  'removable',
  'restorable',
  'restricted',
  'revoked',
  'scheduled',
  'shown',
  'stored',
  'suspended',
  'temporaryPassword',
  'toConfirm',
  'unreadOnly',
  'usable',
  'viewed',
  'withdrawn',
])

/** Whether a field says yes or no. */
export const isFlag = (field: string): boolean => FLAGS.has(field)

/** What the wire says for no limit, which is null in the code. */
export const NO_LIMIT = -1

const LIMITS: ReadonlySet<string> = new Set([
  'limit',
  'maxKeysPerDay',
  'maxKeysPerMonth',
  'maxKeysPerWeek',
  'maxKeysTotal',
])
/** Whether a field is a limit. */
export const isLimit = (field: string): boolean => LIMITS.has(field)

/** How deep the fields of a call nest at most, how many different names they have, and how long ones. */
const MAX_DEPTH = 8
const MAX_NAMES = 500
const MAX_NAME_LENGTH = 100

/** Between the names of one call and those of the wire, both ways. */
export interface WireNames {
  /** @returns the field's name on the wire */
  toWire: (name: string) => string
  /** @returns the field's name in the code; of what is no name of this call's wire a text that no schema knows */
  fromWire: (wireName: string) => string
}

const WIRE_NAME = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

const cache = new Map<string, WireNames>()

/** The names of a call's fields. @param path the call's path below /api */
export function wireNames(path: string): WireNames {
  const known = cache.get(path)
  if (known !== undefined) return known
  const glossary = new Map(
    [IRREGULAR, ...BY_PATH.filter(([start]) => path.startsWith(start)).map(([, special]) => special)].flatMap(
      (part) => Object.entries(part),
    ),
  )
  const nameOnWire = (name: string) =>
    glossary.get(name) ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
  const back = new Map([...glossary].map(([name, wireName]) => [wireName, name]))
  const nameInCode = (wireName: string) => {
    const name =
      back.get(wireName) ??
      wireName.toLowerCase().replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    // One name on the wire for each: neither `userId` itself nor AFFILIATION_CODE is one.
    return WIRE_NAME.test(wireName) && nameOnWire(name) === wireName ? name : `?${wireName}`
  }
  const names = { toWire: nameOnWire, fromWire: nameInCode }
  cache.set(path, names)
  return names
}

/**
 * A value as the wire says it: its fields' names in upper case, true and false as 'Y' and 'N', no limit as -1.
 * @param path the call's path below /api
 */
export function toWire(path: string, value: unknown): unknown {
  const names = wireNames(path)
  const write = (entry: unknown, field?: string): unknown => {
    if (typeof entry === 'boolean') return entry ? 'Y' : 'N'
    if (entry === null) return field !== undefined && isLimit(field) ? NO_LIMIT : null
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
 * A value of the wire as the code says it. Nothing is checked yet: what is wrong is left for the schema to refuse.
 * @param path the call's path below /api
 */
export function fromWire(path: string, value: unknown): unknown {
  const { fromWire: nameOf } = wireNames(path)
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
