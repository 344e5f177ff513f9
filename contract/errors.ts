/**
 * The HTTP status of every error code of the API (rules/wire#statuses). The message of a code is `messages.errors[code]`. A handler
 * throws `refuse('CODE')`, and one place turns it into the response.
 */
export const ERRORS = {
  // Errors of the server itself: `sharedErrorsOf` returns those that a call may return.
  ENVELOPE_INVALID: 400,
  INPUT_INVALID: 400,
  SESSION_REQUIRED: 401,
  SESSION_MOVED: 401,
  ADDRESS_REFUSED: 401,
  SERVICE_TOKEN_REQUIRED: 401,
  PROGRAM_TOKEN_REQUIRED: 401,
  PROGRAM_TOKEN_SCOPE: 403,
  FORBIDDEN: 403,
  CROSS_SITE: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  FACTOR_SETUP_REQUIRED: 403,
  PATH_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  CONTENT_TYPE_UNSUPPORTED: 415,
  TOO_MANY_TRIES: 429,
  TOO_MANY_CALLS: 429,
  UNEXPECTED: 500,
  UNAVAILABLE: 503,
  DISK_FULL: 503,
  // Account
  LOGIN_FAILED: 400,
  LOGIN_LOCKED: 429,
  PASSWORD_DISABLED: 400,
  ACCOUNT_NOT_APPROVED: 400,
  ACCOUNT_NOT_YET_VALID: 400,
  ACCOUNT_EXPIRED: 400,
  ACCOUNT_SUSPENDED: 400,
  ACCOUNT_SUSPENDED_BY_HAND: 400,
  ACCOUNT_WITHDRAWN: 400,
  TEMPORARY_PASSWORD_ENDED: 400,
  LOGIN_ADDRESS_REFUSED: 400,
  SECOND_FACTOR_REQUIRED: 400,
  SECOND_FACTOR_WRONG: 400,
  SECOND_FACTOR_LOCKED: 429,
  TICKET_INVALID: 400,
  ENROLMENT_INVALID: 400,
  FACTOR_NOT_FOUND: 400,
  FACTOR_NEEDED: 400,
  PASSKEY_INVALID: 400,
  PASSKEY_CLONED: 400,
  PASSKEYS_FULL: 400,
  PASSKEYS_UNAVAILABLE: 400,
  RESET_NOT_FOUND: 400,
  RESET_WAITS: 400,
  RESET_NEEDS_TWO: 400,
  RESET_OWN: 400,
  RESET_NOT_OWN: 400,
  RESET_ASKER_GONE: 400,
  FOUR_EYES_FACTOR: 400,
  FOUR_EYES_RELATED: 400,
  FACTOR_RESET_HOLD: 400,
  PASSWORD_WRONG: 400,
  PASSWORD_NEEDED: 400,
  PASSWORD_REUSED: 400,
  PASSWORD_COMMON: 400,
  PASSWORD_PERSONAL: 400,
  PASSWORD_CHECK_REQUIRED: 400,
  CONFIRMATION_REQUIRED: 400,
  CERTIFICATION_FAILED: 400,
  LINK_INVALID: 400,
  MAIL_UNAVAILABLE: 400,
  USER_ID_TAKEN: 400,
  EMAIL_TAKEN: 400,
  // Users
  USER_NOT_FOUND: 400,
  USER_NOT_APPROVED: 400,
  USER_NOT_REMOVABLE: 400,
  SESSION_NOT_FOUND: 400,
  DEVICE_NOT_FOUND: 400,
  EMAIL_READ_ONLY: 400,
  PROFILE_READ_ONLY: 400,
  RESTORE_TOO_LATE: 400,
  INCIDENT_LIFT: 403,
  RENAMES_USED: 400,
  SEARCH_NOT_FOUND: 400,
  SEARCH_NAME_TAKEN: 400,
  SEARCHES_FULL: 400,
  BULK_TOO_LARGE: 400,
  KEYS_TOO_MANY: 400,
  BULK_NOBODY: 400,
  LAST_ADMIN: 400,
  LAST_ADMIN_ENDS: 400,
  RECORD_CHANGED: 400,
  FUNCTION_DENIED: 400,
  CODE_NOT_FOUND: 400,
  IMPORT_INVALID: 400,
  EXPORT_BUSY: 429,
  EXPORT_TOO_LARGE: 400,
  // Settings
  SETTING_FIXED: 400,
  LOGO_INVALID: 400,
  MAIL_PASSWORD_REQUIRED: 400,
  ADDRESS_SHUTS_OUT: 400,
  ADMIN_REACH_REQUIRED: 400,
  // Single sign-on
  SSO_PROVIDER_NOT_FOUND: 400,
  SSO_UNAVAILABLE: 400,
  SSO_STATE_INVALID: 400,
  SSO_DENIED: 400,
  SSO_CLIENT_REFUSED: 400,
  SSO_ANSWER_INVALID: 400,
  SSO_DOMAIN_REFUSED: 400,
  SSO_ACCOUNT_UNKNOWN: 400,
  SSO_EMAIL_DIFFERS: 400,
  SSO_TAKEN: 400,
  SSO_REQUIRED: 400,
  SSO_CONFIRMATION_UNAVAILABLE: 400,
  EMERGENCY_ACCOUNT_NEEDED: 400,
  EMERGENCY_ACCOUNT_UNFIT: 400,
  SSO_DOMAINS_NEEDED: 400,
  SSO_NOT_TRIED: 400,
  SSO_LINKED: 400,
  SSO_FULL: 400,
  SSO_SECRET_REQUIRED: 400,
  // SCIM
  SCIM_TOKEN_REQUIRED: 401,
  SCIM_PROVIDER_OFF: 403,
  SCIM_STOPPED: 429,
  SCIM_TOKENS_FULL: 400,
  SCIM_TOKEN_NOT_FOUND: 400,
  SCIM_AFFILIATION_REQUIRED: 400,
  SCIM_NOT_STOPPED: 400,
  SCIM_CANDIDATE_NOT_FOUND: 400,
  SCIM_GROUP_NOT_FOUND: 400,
  // Roles
  ROLE_NOT_FOUND: 400,
  ROLE_NAME_TAKEN: 400,
  ROLE_IN_USE: 400,
  ROLE_BUILT_IN: 400,
  ROLE_FIXED: 400,
  ROLE_OF_BRANCH: 400,
  AFFILIATION_PARENT: 400,
  // Approvals
  REQUEST_NOT_FOUND: 400,
  REQUEST_DECIDED: 400,
  PARTNER_CHOICE_MISSING: 400,
  // Access log
  ACCESS_NOT_FOUND: 400,
  INSPECTION_NOT_FOUND: 400,
  INSPECTION_SIGNED: 400,
  INSPECTION_ARCHIVED: 400,
  INSPECTION_OPEN: 400,
  INSPECTION_OWN: 400,
  FINDING_NOT_FOUND: 400,
  LAW_NOT_FOUND: 400,
  REVIEW_NOT_FOUND: 400,
  REVIEW_SIGNED: 400,
  REVIEW_OPEN: 400,
  REVIEW_OWN: 400,
  REVIEW_ABOVE: 400,
  REVIEW_ITEM_NOT_FOUND: 400,
  REVIEW_ITEM_DECIDED: 400,
  // Notices and files
  NOTICE_NOT_FOUND: 400,
  NOTICES_TOO_MANY: 429,
  COLLEAGUES_TOO_MANY: 429,
  NOTICE_MARKED: 403,
  NOTICE_PUBLISHED: 400,
  NOTICE_NOT_PUBLISHED: 400,
  REMINDED_ALREADY: 429,
  NOTICE_RESPONSE_OFF: 400,
  COMMENT_NOT_FOUND: 400,
  FILE_NOT_FOUND: 400,
  FILE_ALREADY_ATTACHED: 400,
  FILE_TOO_LARGE: 413,
  FILE_TYPE_REFUSED: 400,
  FILE_CONTENT_REFUSED: 400,
  FILE_INFECTED: 400,
  SCAN_FAILED: 400,
  STORAGE_FULL: 400,
  UPLOADS_OPEN: 400,
  UPLOADS_FULL: 400,
  UPLOAD_QUOTA: 400,
  PICTURE_NOT_FOUND: 400,
  PICTURE_REFUSED: 400,
  PICTURE_TOO_LARGE: 413,
  PICTURES_TOO_MANY: 400,
  // Keys
  NO_PARTNER: 400,
  PARTNER_EXPIRED: 400,
  PARTNER_STOPPED: 400,
  KEY_LIMIT_DAY: 400,
  KEY_LIMIT_WEEK: 400,
  KEY_LIMIT_MONTH: 400,
  KEY_LIMIT_TOTAL: 400,
  KEY_NOT_FOUND: 400,
  KEY_ALREADY_REVOKED: 400,
  SERVICE_NAME_TAKEN: 400,
  SERVICE_NOT_FOUND: 400,
  WEBHOOK_NOT_FOUND: 400,
  WEBHOOK_NAME_TAKEN: 400,
  WEBHOOK_URL: 400,
  WEBHOOKS_FULL: 400,
  DELIVERY_NOT_FOUND: 400,
  PROGRAM_NAME_TAKEN: 400,
  PROGRAM_NOT_FOUND: 400,
  PROGRAMS_FULL: 400,
  PROGRAM_ACCOUNT_NOT_FOUND: 400,
  PROGRAM_ACCOUNTS_FULL: 400,
  RANGE_INVALID: 416,
  FILE_LINK_INVALID: 400,
  UPLOAD_NOT_FOUND: 400,
  UPLOAD_EXPIRED: 400,
  UPLOAD_INCOMPLETE: 400,
  UPLOAD_OFFSET: 409,
  UPLOAD_BUSY: 423,
  // Partners
  PARTNER_NOT_FOUND: 400,
  PARTNER_CODE_TAKEN: 400,
  PARTNER_IN_USE: 400,
  PARTNER_IS_DEFAULT: 400,
  PARTNER_READ_ONLY: 400,
  REGION_NOT_FOUND: 400,
  // Affiliations
  AFFILIATION_NOT_FOUND: 400,
  AFFILIATION_NAME_TAKEN: 400,
  AFFILIATION_CLOSED: 400,
  AFFILIATION_LAST: 400,
  // Teams
  TEAM_NOT_FOUND: 400,
  TEAM_NAME_TAKEN: 400,
  TEAM_PARENT: 400,
  TEAM_IN_USE: 400,
} as const

/** The stable code of a refusal. */
export type ErrorCode = keyof typeof ERRORS

/** The body of every response that is not a success; never encrypted (rules/wire#failure). */
export interface Failure {
  code: ErrorCode
  /** In the language of the request. */
  msg: string
  /** The wire name of the field that an INPUT_INVALID is about, for forms. */
  field?: string
  /** The ticket that finishes the login with SECOND_FACTOR_REQUIRED, or links an account after SSO_ACCOUNT_UNKNOWN. */
  ticket?: string
}

/** The details of a refusal in addition to its code. */
export interface RefusalDetails {
  retryAfterSeconds?: number | undefined
  /** The records that the refusal is about, by the names that users know (login IDs). The message lists them after its text. */
  about?: readonly string[]
  /** The ticket with which the caller continues. */
  ticket?: string
  /** True for an attempt to get or grant more permissions than the caller has, which is logged (rules/audit#refusals). */
  raisesRights?: true
}

/** A refusal as an error: handlers throw it, the server sends it, the client rebuilds it. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined
  readonly about: readonly string[]
  readonly raisesRights: boolean
  readonly ticket: string | undefined

  constructor(code: ErrorCode, options: RefusalDetails = {}) {
    super(code)
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.about = options.about ?? []
    this.ticket = options.ticket
    this.raisesRights = options.raisesRights === true
  }
}

/**
 * Throws the refusal of a code of the contract.
 * @throws {Refusal} always
 */
export function refuse(code: ErrorCode, options?: RefusalDetails): never {
  throw new Refusal(code, options)
}
