import type { FastifyBaseLogger } from 'fastify'
import type { Readable } from 'node:stream'
import type { contract, Domain } from '../../contract/index.ts'
import type {
  Access,
  AuditAction,
  ConfirmationMode,
  Endpoint,
  OutputOf,
  ParsedInputOf,
} from '../../contract/endpoint.ts'
import type { Language } from '../../contract/messages/language.ts'
import type { BackupWatch } from '../services/backup-watch.ts'
import type { Config } from '../config.ts'
import type { LongReads } from '../db/long-reads.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Jobs } from '../services/job-runner.ts'
import type { AccessLog } from '../services/access-log.ts'
import type { AuditedOne, AuditEntry } from '../records/audit.ts'
import type { CertificateWatch } from '../services/tls-certificates.ts'
import type { Mail } from '../services/mail.ts'
import type { Outbound } from '../services/outbound.ts'
import type { Passwords } from '../services/password.ts'
import type { KeySecret } from '../services/key-secret.ts'
import type { DiskSpace } from '../services/disk-space.ts'
import type { Scanner } from '../services/scanner.ts'
import type { Settings } from '../services/settings.ts'
import type { ByteRange, Storage } from '../services/storage.ts'
import type { AddressLimits } from './admission/rate-limits.ts'
import type { ProviderCaller } from '../callers/scim-tokens.ts'
import type { ServiceCaller } from '../callers/service-tokens.ts'
import type { SessionCookies } from '../callers/session-cookie.ts'
import type { SignedIn } from '../callers/sessions.ts'

/** Services that all handlers share, each with a local default. */
export interface Services {
  config: Config
  passwords: Passwords
  storage: Storage
  /** Null if uploads are not scanned. */
  scanner: Scanner | null
  limits: AddressLimits
  /** Company, offices, logo and URL of the portal, as an administrator set them. */
  settings: Settings
  mail: Mail
  /** Log of the access to personal data. */
  accessLog: AccessLog
  /** Secret from which keys are derived, and by which secrets in the database are encrypted. */
  keySecret: KeySecret
  /** Runner of the background jobs. */
  jobs: Jobs
  /** State of the scheduled backups. */
  backups: BackupWatch
  /** Free space for calls that write. */
  diskSpace: DiskSpace
  /** Expiry of the TLS certificates of the servers that Maru connects to. */
  certificates: CertificateWatch
  /** Client of all requests to other servers. */
  outbound: Outbound
  /** Advice on changes to the database, one line each. */
  databaseAdvice: readonly string[]
}

/** Type of the caller, by the access policy of the endpoint. */
export type CallerOf<A extends Access> = A extends 'public'
  ? SignedIn | null
  : A extends 'service'
    ? ServiceCaller
    : A extends 'provider'
      ? ProviderCaller
      : SignedIn

/** A call that is being handled: its caller, language and services. */
export interface Call<E extends Endpoint = Endpoint> {
  actor: CallerOf<E['access']>
  /** Whether the caller's role has a permission that the contract requires for records of others (`others`). */
  mayActOnOthers: boolean
  db: Db
  /** Database for reads that take longer than a call may, such as exports. */
  longReads: LongReads
  services: Services
  language: Language
  /** Key of the caller for shared resources such as the mail queue: the user, or the network without a session. */
  requester: string
  /** The caller's address, after TRUST_PROXY. */
  address: string
  userAgent: string
  /** The cookies that sessions are bound to; set if the call succeeds. */
  cookies: SessionCookies
  log: FastifyBaseLogger
  /** The clock for everything that counts by the calendar (design/keys#derived-keys). */
  now: () => Date
  /** Maximum size of an attached file in bytes. */
  maxFileBytes: number
  /** Size of the request body in bytes, from its header; null without one. */
  bodyBytes: number | null
  /** The file of a multipart call, empty for any other call. Ends only when the whole form has arrived and is valid. */
  content: AsyncIterable<Uint8Array>
  /**
   * Waits for a slot of the queue, and runs work in it (design/requests-and-load#request-queue). Runs it immediately if the call already
   * holds a slot, as all calls do except forms and those with `ownTurns`.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /**
   * Authenticates and authorizes the caller again, for a call that runs for long.
   * @returns the caller with their current permissions
   * @throws {Refusal} SESSION_REQUIRED and the other codes of the endpoint's access policy
   */
  stillAllowed(): Promise<CallerOf<E['access']>>
  /**
   * Refuses a caller who has not reauthenticated, for a call whose `confirmed` is `told` or equal to `how`. Throws an Error for
   * another call.
   * @throws {Refusal} CONFIRMATION_REQUIRED, PASSWORD_CHECK_REQUIRED
   */
  requireConfirmation(how: Exclude<ConfirmationMode, 'told'>): void
  /**
   * Marks this call as allowed to take a step that needs two people, for a call with `fourEyes`. Until then `audit` and
   * `auditEach` throw.
   */
  passesFourEyes(): void
  /**
   * Stores the login ID that a caller without a session entered, for the log of access and the audit row of a refusal
   * (rules/audit#refusals).
   */
  triesAs(loginId: string): void
  /** Adds data subjects (users.id) to the access log, for a call whose `personal` is `told`. */
  touches(ids: readonly string[]): void
  /**
   * Writes the data subjects of the next chunk of a file that is sent while it is written to the access log. Await it
   * before the chunk is sent.
   */
  leaving(ids: readonly string[]): Promise<void>
  /**
   * Writes the audit row of this call inside the transaction that makes the change. Writes none if the endpoint has
   * `auditsChangeOnly` and the entry's `detail` is empty. Throws if the endpoint declares no audit action.
   */
  audit(tx: Tx, entry: AuditEntry): Promise<void>
  /** Writes an audit row of another action, such as a lock that a refused call has caused, inside the transaction. */
  auditAs(action: AuditAction, tx: Tx, entry: AuditEntry): Promise<void>
  /** Writes the audit row of a call that only reads records, before its response. */
  auditLook(entry: AuditEntry): Promise<void>
  /**
   * Writes an audit row for each record that this call changes, in one statement; for a call with `auditsEach`, or of an action
   * in its `auditsToo`.
   * @param action the endpoint's own by default
   */
  auditEach(tx: Tx, changed: readonly AuditedOne[], action?: AuditAction): Promise<void>
}

/** Response with a file, which the client gets as an attachment. */
export interface FileAnswer {
  name: string
  /** Media type; application/octet-stream by default. */
  type?: string
  /** Size in bytes, if known before the file is opened. Byte ranges need it. */
  size?: number
  /** Changes with the content, for If-Range; only with a size. */
  tag?: string
  /**
   * Opens the file.
   * @param range given only if there is a `size`, and lies within it
   */
  open(range?: ByteRange): Readable | Promise<Readable>
}

/** Response of a call: a file, or its output. */
export type Answer<E extends Endpoint> = E['answer'] extends 'file' ? FileAnswer : OutputOf<E>

/**
 * Function that handles one call of the contract, and refuses with `refuse('CODE')`. It returns nothing for an empty
 * output.
 */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
  input: ParsedInputOf<E>,
) => Promise<Answer<E> extends Record<string, never> ? Answer<E> | void : Answer<E>>

/** Handlers of every call of a domain, by name: a missing one is a type error. */
export type Handlers<D extends Domain> = {
  [K in keyof (typeof contract)[D]]: (typeof contract)[D][K] extends Endpoint
    ? Handler<(typeof contract)[D][K]>
    : never
}
