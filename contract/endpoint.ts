import type * as z from 'zod/mini'
import type { AccountAction, AuditAction } from './audit-actions.ts'
import type { ErrorCode } from './errors.ts'
import type { FunctionName } from './permissions.ts'
import type { Messages } from './messages/ko.ts'

/**
 * Who may make a call (rules/roles#deny-by-default). There is no default: 'public' has to be written.
 * - `public`: with or without a session; the handler gets `actor: null` without one.
 * - `signed-in`: any live session; the handler still decides by record.
 * - `service`: a program with a service token in the header `Authorization: Bearer …`; no session counts.
 * - `{ function }`: a live session whose role holds one of the functions. The refusal is 403
 *   FORBIDDEN, or 400 FUNCTION_DENIED where the wire has always said so (rules/roles#deny-by-default).
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'service'
  | { function: readonly FunctionName[]; refusal?: 'FORBIDDEN' | 'FUNCTION_DENIED' }

export type { AuditAction } from './audit-actions.ts'

/** How often one address may make the call: `points` calls in `seconds` (429 with Retry-After past it). */
export interface AddressLimit {
  points: number
  seconds: number
}

/** What most calls that need a limit have. */
export const USUAL_LIMIT: AddressLimit = { points: 60, seconds: 60 }

/**
 * The limit of the steps of a login. A whole office may share an address, and one device in it must not stop the logins of the others.
 * Wrong passwords and codes have their own, lower limits (rules/account#address-limit).
 */
export const LOGIN_LIMIT: AddressLimit = { points: 3000, seconds: 60 }

/** What a public call without a limit of its own has for those who have no session. */
export const GUEST_LIMIT: AddressLimit = { points: 600, seconds: 60 }

/**
 * How many calls of a class one person, or one service, may make in how many seconds, of all calls of the class together
 * (rules/wire#calls-per-person): far above what hands do, far below what harms.
 */
export const PER_PERSON = {
  /** Reads what a screen shows. */
  read: { points: 1200, seconds: 60 },
  /** Changes a record, or compares a password. */
  write: { points: 300, seconds: 60 },
  /** Reads a file or many people, and may change them all. */
  heavy: { points: 60, seconds: 60 },
  /** Makes a mail leave. */
  mail: { points: 60, seconds: 600 },
  /** Gives a list as a file. */
  export: { points: 60, seconds: 600 },
  /** Is made by programs: keys are issued and verified. */
  program: { points: 3000, seconds: 60 },
} as const satisfies Record<string, AddressLimit>

/** A class of calls that share a limit per person. */
export type CallClass = keyof typeof PER_PERSON

/** What is done with personal data, as the access log calls it; `login` is whatever proves who somebody is, or ends it. */
export type PersonalAct = 'login' | 'read' | 'search' | 'change' | 'export'

/**
 * How the people are found whose data it is (rules/audit#access-log): `own`, the caller; `told` by the handler, with
 * `call.touches` or the records of its audit rows; login IDs at a place of the input or of the answer (`out.users[].userId`). What is
 * told or answered goes before what was asked, which names the people of a refusal.
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
export type Confirmed = 'always' | 'gate' | 'password' | 'told'

/**
 * Whose personal data a call touches; there is no default. `none`: nobody's, or no more than what the frame of a page says to the
 * caller of themselves, or the name under what somebody has published.
 */
export type Personal = 'none' | readonly [act: PersonalAct, of: PersonalPlace, ...more: PersonalPlace[]]

/** The title of a call in both languages. */
export interface CallTitle {
  ko: string
  en: string
}

/** One call of the API: everything that browser, server, tests and documents need to know of it. */
export interface Endpoint {
  /** Below /api (rules/wire#calls). */
  path: `/${string}`
  /** One line for the OpenAPI document. */
  summary: string
  /** What the caller did, as the access log shows it; required for a call that touches personal data. */
  title?: CallTitle
  access: Access
  /** Required for a call that opens or closes an account. */
  confirmed?: Confirmed
  /**
   * True for a step that needs two people: the request, and the confirmation by another account (rules/roles#four-eyes). Its audit row
   * cannot be written before its handler has checked that, with `requireFourEyes` or `requireAsker`.
   */
  fourEyes?: true
  /**
   * A program may make it too, for its person and with a token of its own instead of their session (rules/keys#program-tokens); every
   * other call refuses such a token.
   */
  programs?: true
  /**
   * For a call by record: whose role holds one of these may make it about the records of others too, within reach
   * (ADR 012); everybody else about their own. The handler hears it as `call.mayActOnOthers`.
   */
  others?: readonly FunctionName[]
  /** Validated the same way by the form and the server. */
  input: z.ZodMiniType
  /** Answers are stripped through it, so that a new column never leaks. */
  output: z.ZodMiniType
  /** What the handler may refuse with, beside `sharedErrorsOf`. */
  errors: readonly ErrorCode[]
  /** What the trail calls the change, of which every success writes one row; 'none' has to be written. */
  audit: AuditAction | 'none'
  /** What the access log says of it, before the answer leaves. */
  personal: Personal
  /** It changes many records at once and writes a row for each, one at least. */
  auditsEach?: true
  /** The key of the server's `msg` on success, where there is one; `mails` may replace it (rules/wire#success). */
  message?: keyof Messages['success']
  /**
   * It makes mails: without SMTP_URL every success answers this text as `msg`, because the mails become files on the server
   * (rules/wire#success).
   */
  mails?: keyof Messages['success']
  /** An input field with which it makes no mail. */
  mailsUnless?: string
  /** How often one person may make it; there is no default. */
  perPerson: CallClass
  limit?: AddressLimit
  /** Answered while a temporary password waits to be changed (rules/account#temporary-password). */
  duringPasswordChange?: true
  /** Answered while a second factor has to be set up, as is what a temporary password lets through (rules/account#required-factor). */
  duringFactorSetUp?: true
  /** How large its body may be, where `maxBytesOf` would allow less. */
  maxBytes?: number
  /** Writes little, or makes room: made too while the disk is nearly full (rules/running#full-disk). */
  duringFullDisk?: true
  /** Does not use the session: its idle limit goes on counting (rules/account#session-watch). */
  leavesSessionIdle?: true
  /** Its calls wait for each other: only a few have their turn at once, and leave the database to the others. */
  fewAtOnce?: true
  /**
   * Its handler takes turns for its work on the database (`call.inTurn`): in between it waits for something else. So does
   * that of every form.
   */
  ownTurns?: true
  /** `multipart` for the upload; everything else is the envelope. */
  body?: 'multipart'
  /** `file` for the download: raw bytes back. */
  answer?: 'file'
}

/**
 * How large the body of a call may be. What anybody may send is small: the longest sign-up, each character of it
 * escaped, takes half of it. With a session the longest notice fits in many times over.
 */
export function maxBytesOf({ access, maxBytes }: Endpoint): number {
  return maxBytes ?? (access === 'public' ? 16 * 1024 : 1024 * 1024)
}

/**
 * Whether a call is refused while the disk is nearly full: it is there to write. What a read or an export puts on record is
 * little, and goes on.
 */
export function needsRoom({ perPerson, audit, duringFullDisk }: Endpoint): boolean {
  if (duringFullDisk === true || perPerson === 'read' || perPerson === 'export') return false
  return perPerson === 'write' || perPerson === 'mail' || audit !== 'none'
}

/** Whether a call is answered while a second factor has to be set up. */
export const isDuringFactorSetUp = (
  call: Pick<Endpoint, 'duringPasswordChange' | 'duringFactorSetUp'>,
): boolean => call.duringPasswordChange === true || call.duringFactorSetUp === true

/** What the server itself may answer before or instead of the handler. */
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
    programs === true ? 'PROGRAM_TOKEN_REQUIRED' : 'PROGRAM_TOKEN_SCOPE',
  ]
  if (limit !== undefined || access === 'public') codes.push('TOO_MANY_TRIES')
  if (access === 'public') return codes
  if (access === 'service') return [...codes, 'SERVICE_TOKEN_REQUIRED']
  codes.push('SESSION_REQUIRED', 'SESSION_MOVED', 'ADDRESS_REFUSED')
  if (duringPasswordChange !== true) codes.push('PASSWORD_CHANGE_REQUIRED')
  if (!isDuringFactorSetUp(call)) codes.push('FACTOR_SETUP_REQUIRED')
  if (confirmed !== undefined) codes.push('CONFIRMATION_REQUIRED')
  if (fourEyes === true) codes.push('FOUR_EYES_FACTOR', 'FOUR_EYES_RELATED')
  if (confirmed === 'gate' || confirmed === 'told') codes.push('PASSWORD_CHECK_REQUIRED')
  if (access !== 'signed-in') codes.push(access.refusal ?? 'FORBIDDEN')
  return codes
}

/** Requires `confirmed` of a call by a session that opens or closes an account; no program may make such a call. */
type Reauthenticating<E extends Endpoint> = E['audit'] extends AccountAction
  ? E['access'] extends 'public' | 'service'
    ? unknown
    : { confirmed: Confirmed; programs?: never }
  : unknown

/** Requires `title` of a call that touches personal data: the access log shows it. */
type Titled<E extends Endpoint> = E['personal'] extends 'none' ? unknown : { title: CallTitle }

/** Declares a call; keeps the exact types of path, access, input and output. */
export function endpoint<const E extends Endpoint>(definition: E & Reauthenticating<E> & Titled<E>): E {
  return definition
}

/** What a caller may write as input of a call. */
export type InputOf<E extends Endpoint> = z.input<E['input']>
/** The input as the handler gets it: checked and normalised. */
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>
/** The answer of a call. */
export type OutputOf<E extends Endpoint> = z.output<E['output']>
