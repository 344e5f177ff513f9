import * as z from 'zod/mini'
import type { AccountAction, AuditAction } from './audit-actions.ts'
import type { ErrorCode } from './errors.ts'
import type { FunctionName } from './permissions.ts'
import type { Scope } from './scopes.ts'
import type { Messages } from './messages/ko.ts'

/**
 * Access policy of a call (rules/roles#deny-by-default). There is no default: 'public' must be written.
 * - `public`: with or without a session. Without one the handler gets `actor: null`.
 * - `signed-in`: any live session. The handler still decides by record.
 * - `service`: a service token in the header `Authorization: Bearer …`. Sessions are ignored.
 * - `provider`: a SCIM token of an identity provider; for requests of SCIM alone.
 * - `{ function }`: a live session whose role has one of the permissions. Otherwise 403 FORBIDDEN, or 400
 *   FUNCTION_DENIED for calls that have always returned it (rules/roles#deny-by-default).
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'service'
  | 'provider'
  | { function: readonly FunctionName[]; refusal?: 'FORBIDDEN' | 'FUNCTION_DENIED' }

export type { AuditAction } from './audit-actions.ts'

/** A rate limit: `points` calls in `seconds`. Further calls get 429 with Retry-After. */
export interface RateLimit {
  points: number
  seconds: number
}

/** Rate limit per client of most calls that need one. */
export const USUAL_LIMIT: RateLimit = { points: 60, seconds: 60 }

/**
 * Rate limit per client of the steps of a login. A whole office may share an IP address, and one device must not block the
 * logins of the others. Wrong passwords and codes have lower limits (rules/account#address-limit).
 */
export const LOGIN_LIMIT: RateLimit = { points: 3000, seconds: 60 }

/** Rate limit per client for guests, of a public call that declares none. */
export const GUEST_LIMIT: RateLimit = { points: 600, seconds: 60 }

/**
 * Rate limits per user or service and process, shared by all calls of a class and scaled by CALL_LIMIT_PERCENT
 * (rules/wire#calls-per-person). No user reaches them by clicking, and the server is not overloaded at them.
 */
export const PER_PERSON = {
  /** Reads the data of a screen. */
  read: { points: 1200, seconds: 60 },
  /** Changes a record, or compares a password. */
  write: { points: 300, seconds: 60 },
  /** Reads a file or many users, and may change all of them. */
  heavy: { points: 60, seconds: 60 },
  /** Sends an email. */
  mail: { points: 60, seconds: 600 },
  /** Returns a list as a file. */
  export: { points: 60, seconds: 600 },
  /** Made by programs, which issue and verify keys. */
  program: { points: 3000, seconds: 60 },
} as const satisfies Record<string, RateLimit>

/** Class of calls that share a rate limit per user. */
export type CallClass = keyof typeof PER_PERSON

/** Kind of access to personal data in the access log. `login` is every authentication, and the end of a session. */
export type PersonalAct = 'login' | 'read' | 'search' | 'change' | 'export'

/**
 * Source of the data subjects of a call (rules/audit#access-log).
 * - `own`: the caller.
 * - `told`: reported by the handler with `call.touches`, or the records of its audit rows.
 * - `in.…`, `out.…`: login IDs at a path of the input or output, such as `out.users[].userId`.
 * Reported subjects and those of the output replace those of the input, which count only if the call fails.
 */
export type PersonalPlace = 'own' | 'told' | `in.${string}` | `out.${string}`

/** Minutes for which a login or a reauthentication counts in its session (rules/account#confirmation). */
export const CONFIRMATION_MINUTES = 10

/**
 * Reauthentication of the caller of a call (rules/account#confirmation). A user who has a second factor always needs it as well.
 * - `always`: within CONFIRMATION_MINUTES, by the login or a reauthentication of this session (CONFIRMATION_REQUIRED).
 * - `gate`: by the password gate of the own page (PASSWORD_CHECK_REQUIRED).
 * - `password`: by the password in the input.
 * - `told`: `always` or `gate`, depending on the record. The handler calls `call.requireConfirmation`.
 */
export type ConfirmationMode = 'always' | 'gate' | 'password' | 'told'

/**
 * Personal data that a call accesses; there is no default. `none` also covers the caller's own name and permissions in the
 * layout of a page, and the author of a published text.
 */
export type Personal = 'none' | readonly [act: PersonalAct, of: PersonalPlace, ...more: PersonalPlace[]]

/** The title of a call in Korean and English. */
export interface CallTitle {
  ko: string
  en: string
}

/** Complete declaration of an API call, shared by browser, server, tests and documentation. */
export interface Endpoint {
  /** Path below /api (rules/wire#calls). */
  path: `/${string}`
  /** One line for the OpenAPI document of plain calls and the tables of docs/rules. */
  summary: string
  /** Title of the call in the access log; required for a call that accesses personal data. */
  title?: CallTitle
  access: Access
  /** Required for a call that opens or closes an account. */
  confirmed?: ConfirmationMode
  /**
   * True for a step that needs two people: the request, and the confirmation by another account (rules/roles#four-eyes). Its audit row
   * cannot be written before its handler has checked that, with `requireFourEyes` or `requireIndependent`.
   */
  fourEyes?: true
  /**
   * True if a program may make the call with a program token instead of its user's session (rules/keys#program-tokens).
   * Every other call rejects such a token.
   */
  programs?: true
  /**
   * Scope of a program token with which the call is offered as plain JSON (rules/wire#plain-calls). Every other call is not offered.
   * Never for public calls, own accounts, settings, roles or files. Confirmed calls have one of UNATTENDED_SCOPES.
   */
  scope?: Scope
  /**
   * Permissions to make a call by record about the records of others, within the administration scope (design/roles-and-reach#administration-scope). Without
   * one, users may make it about their own record only. The handler reads `call.mayActOnOthers`.
   */
  others?: readonly FunctionName[]
  /** Schema that checks the input in the form and on the server. */
  input: z.ZodMiniType
  /** Schema that strips the output, so that a new column never leaks. */
  output: z.ZodMiniType
  /** Error codes of the handler, in addition to `sharedErrorsOf`. */
  errors: readonly ErrorCode[]
  /** Audit action: every success writes one row of it to the audit log. There is no default: 'none' must be written. */
  audit: AuditAction | 'none'
  /** Entry in the access log, written before the response is sent. */
  personal: Personal
  /** True if a success without changes writes no audit row: saving a record as it is, or repeating a confirmation. */
  auditsChangeOnly?: true
  /** True if the call changes many records and writes an audit row for each, at least one. */
  auditsEach?: true
  /** Audit actions of other records that the call may change too, with a row for each. */
  auditsToo?: readonly AuditAction[]
  /** Key of the server's `msg` on success; `mails` may replace it (rules/wire#success). */
  message?: keyof Messages['success']
  /**
   * Key of the server's `msg` of a call that sends email, if there is no mail server: the emails become files on the server
   * (rules/wire#success).
   */
  mails?: keyof Messages['success']
  /** Input field that suppresses the email. */
  mailsUnless?: string
  /** Rate limit class per user; by default that of `callClassOf`. */
  perPerson: CallClass
  /** Rate limit per client. */
  limit?: RateLimit
  /** True if allowed before a temporary password is changed (rules/account#temporary-password). */
  duringPasswordChange?: true
  /** True if allowed before a required second factor is set up, as are calls with `duringPasswordChange` (rules/account#required-factor). */
  duringFactorSetUp?: true
  /** True if allowed before the privacy notice is accepted, as are the calls of `isDuringFactorSetUp` (rules/account#privacy-acceptance). */
  duringPrivacyAcceptance?: true
  /** Maximum size of the body in bytes; by default that of `maxBytesOf`. */
  maxBytes?: number
  /** True if allowed while the disk is nearly full, because the call writes little or frees space (rules/running#full-disk). */
  duringFullDisk?: true
  /**
   * True if the call does not restart the idle timer of the session (rules/account#session-watch). `in-background`: only if the page
   * makes it by itself, as SESSION_USE_HEADER says.
   */
  leavesSessionIdle?: true | 'in-background'
  /** True if only a few calls run concurrently, so that they do not occupy the database. */
  fewAtOnce?: true
  /**
   * True if the handler takes a slot only for its database work (`call.inTurn`), because it waits for something else in
   * between. Handlers of forms always do.
   */
  ownTurns?: true
  /** `multipart` for uploads; by default the envelope. */
  body?: 'multipart'
  /** `file` for downloads: the response has raw bytes. */
  answer?: 'file'
}

/**
 * Returns the maximum size of a call's body in bytes: its `maxBytes`, or 16 KiB for a public call and 1 MiB for any
 * other. These are twice the longest sign-up with every character escaped, and many times the longest notice.
 */
export function maxBytesOf({ access, maxBytes }: Endpoint): number {
  return maxBytes ?? (access === 'public' ? 16 * 1024 : 1024 * 1024)
}

/**
 * Returns whether a call is refused while the disk is nearly full (DISK_FULL), because it writes more than a log entry.
 * Reads and exports are not. Heavy and program calls are if they write to the audit log.
 */
export function needsRoom({ perPerson, audit, duringFullDisk }: Endpoint): boolean {
  if (duringFullDisk === true || perPerson === 'read' || perPerson === 'export') return false
  return perPerson === 'write' || perPerson === 'mail' || audit !== 'none'
}

/** Returns whether a call is allowed before a required second factor is set up. */
export const isDuringFactorSetUp = (
  call: Pick<Endpoint, 'duringPasswordChange' | 'duringFactorSetUp'>,
): boolean => call.duringPasswordChange === true || call.duringFactorSetUp === true

/** Returns whether a call is allowed before the privacy notice is accepted. */
export const isDuringPrivacyAcceptance = (
  call: Pick<Endpoint, 'duringPasswordChange' | 'duringFactorSetUp' | 'duringPrivacyAcceptance'>,
): boolean => call.duringPrivacyAcceptance === true || isDuringFactorSetUp(call)

/**
 * Returns the error codes that the server may return for a call before or instead of its handler, such as
 * INPUT_INVALID, SESSION_REQUIRED or CONFIRMATION_REQUIRED. They depend on access policy, reauthentication and limits
 * of the call.
 */
export function sharedErrorsOf(call: Endpoint): ErrorCode[] {
  const { access, programs, confirmed, fourEyes, duringPasswordChange, limit } = call
  const codes: ErrorCode[] = [
    'ENVELOPE_INVALID',
    'INPUT_INVALID',
    'PAYLOAD_TOO_LARGE',
    'CONTENT_TYPE_UNSUPPORTED',
    'CROSS_SITE',
    'TOO_MANY_CALLS',
    'UNEXPECTED',
    'UNAVAILABLE',
    'DISK_FULL',
    'PROGRAM_TOKEN_SCOPE',
    ...(programs === true ? (['PROGRAM_TOKEN_REQUIRED'] as const) : []),
  ]
  if (limit !== undefined || access === 'public') codes.push('TOO_MANY_TRIES')
  if (access === 'public') return codes
  if (access === 'service') return [...codes, 'SERVICE_TOKEN_REQUIRED']
  codes.push('SESSION_REQUIRED', 'SESSION_MOVED', 'ADDRESS_REFUSED')
  if (duringPasswordChange !== true) codes.push('PASSWORD_CHANGE_REQUIRED')
  if (!isDuringFactorSetUp(call)) codes.push('FACTOR_SETUP_REQUIRED')
  if (!isDuringPrivacyAcceptance(call)) codes.push('PRIVACY_ACCEPTANCE_REQUIRED')
  if (confirmed !== undefined) codes.push('CONFIRMATION_REQUIRED')
  if (fourEyes === true) codes.push('FOUR_EYES_FACTOR', 'FOUR_EYES_RELATED')
  if (confirmed === 'gate' || confirmed === 'told') codes.push('PASSWORD_CHECK_REQUIRED')
  if (typeof access === 'object') codes.push(access.refusal ?? 'FORBIDDEN')
  return codes
}

/** Requires `confirmed` of a call by a session that opens or closes an account; no program may make such a call. */
type Reauthenticating<E extends Declaration> = E['audit'] extends AccountAction
  ? E['access'] extends 'public' | 'service' | 'provider'
    ? unknown
    : { confirmed: ConfirmationMode; programs?: never }
  : unknown

/** Requires `title` of a call that accesses personal data: the access log shows it. */
type Titled<E extends Declaration> = E['personal'] extends 'none' ? unknown : { title: CallTitle }

/** Defaults of a call, which `endpoint` adds: no input, no output, and no error codes besides `sharedErrorsOf`. */
const DEFAULTS = { input: z.strictObject({}), output: z.object({}), errors: [] } as const

/** See `DEFAULTS`. */
type Defaults = typeof DEFAULTS

/** Properties of a call that its declaration may omit. */
type Omittable = keyof Defaults | 'perPerson'

/** Declaration of a call. It must state access policy, audit action and personal data: they have no defaults. */
type Declaration = Omit<Endpoint, Omittable> & Partial<Pick<Endpoint, Omittable>>

/**
 * Returns the rate limit class of a call that declares none. A call that changes many records or accepts a large body is heavy. A
 * call is a write if it is audited, or if its path states a change; any other call is a read. Calls that send emails, that compare
 * a secret without an audit row, or that read many users declare their class.
 */
function callClassOf({ path, audit, auditsEach, maxBytes }: Declaration): CallClass {
  if (auditsEach === true || maxBytes !== undefined) return 'heavy'
  if (path.includes('/exp/')) return 'export'
  return audit === 'none' && !/\/(?:ins|upd|del)\//.test(path) ? 'read' : 'write'
}

/**
 * Declares a call: adds its defaults, and keeps the exact types of path, access, input and output. The call exists once
 * a domain of `contract` (index.ts) has it.
 */
// @__NO_SIDE_EFFECTS__
export function endpoint<const E extends Declaration>(
  definition: E & Reauthenticating<E> & Titled<E>,
): Omit<Defaults, keyof E> & { perPerson: CallClass } & E {
  return { ...DEFAULTS, perPerson: callClassOf(definition), ...definition }
}

/** Input of a call, as the caller writes it. */
export type InputOf<E extends Endpoint> = z.input<E['input']>
/** Input of a call, as the handler gets it: checked and normalized. */
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>
/** Output of a call. */
export type OutputOf<E extends Endpoint> = z.output<E['output']>
