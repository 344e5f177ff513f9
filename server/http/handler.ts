import type { FastifyBaseLogger } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import type { Readable } from 'node:stream'
import type { contract, Domain } from '../../contract/index.ts'
import type {
  Access,
  AuditAction,
  Confirmed,
  Endpoint,
  OutputOf,
  ParsedInputOf,
} from '../../contract/endpoint.ts'
import type { Language } from '../../contract/messages/language.ts'
import type { BackupWatch } from '../operator/watch.ts'
import type { Config } from '../config.ts'
import type { LongReads } from '../db/long-reads.ts'
import type { Database } from '../db/types.ts'
import type { Jobs } from '../jobs/runner.ts'
import type { AccessLog } from '../services/access-log.ts'
import type { AuditedOne, AuditEntry } from '../services/audit.ts'
import type { CertificateWatch } from '../services/certificates.ts'
import type { Mail } from '../services/mail.ts'
import type { Passwords } from '../services/password.ts'
import type { KeySecret } from '../services/key-secret.ts'
import type { Room } from '../services/room.ts'
import type { Scanner } from '../services/scanner.ts'
import type { Settings } from '../services/settings.ts'
import type { ByteRange, Storage } from '../services/storage.ts'
import type { AddressLimits } from './limits.ts'
import type { ServiceCaller } from './services.ts'
import type { SessionCookies } from './session-cookie.ts'
import type { SignedIn } from './sessions.ts'

/** What handlers share beside the database, each with a local default. */
export interface Services {
  config: Config
  passwords: Passwords
  storage: Storage
  /** Null where nothing is scanned. */
  scanner: Scanner | null
  limits: AddressLimits
  /** Company, offices, logo and the portal's own address, as an administrator set them. */
  settings: Settings
  mail: Mail
  /** Who touches whose personal data. */
  accessLog: AccessLog
  keySecret: KeySecret
  /** What runs by itself. */
  jobs: Jobs
  /** How the backups stand that are taken by themselves. */
  backups: BackupWatch
  /** Whether there is room for calls that write. */
  room: Room
  /** Until when those whom Maru speaks to by TLS may be believed. */
  certificates: CertificateWatch
  /** Advice on changes to the database, one line each. */
  databaseAdvice: readonly string[]
}

/** Who makes a call of this access. */
export type CallerOf<A extends Access> = A extends 'public'
  ? SignedIn | null
  : A extends 'service'
    ? ServiceCaller
    : SignedIn

/** A call being handled: who makes it, in which language, and what it may reach. */
export interface Call<E extends Endpoint = Endpoint> {
  actor: CallerOf<E['access']>
  /** Whether the caller's role holds what the contract asks for a call about the records of others (`others`). */
  mayActOnOthers: boolean
  db: Kysely<Database>
  /** For reads that take longer than a call may; `db` is for everything else. */
  longReads: LongReads
  services: Services
  language: Language
  /** Who makes it, for what is shared out by requester: the person, without a session the network. */
  requester: string
  /** The caller's address, after TRUST_PROXY. */
  address: string
  userAgent: string
  /** The cookies that sessions are bound to; set if the call succeeds. */
  cookies: SessionCookies
  log: FastifyBaseLogger
  /** The clock for everything that counts by the calendar (ADR 023). */
  now: () => Date
  /** How large an attached file may be. */
  maxFileBytes: number
  /** How many bytes the body of the call has, as its header says; null where it does not. */
  bodyBytes: number | null
  /** The file of a multipart call, empty for any other; ends only when the whole form has arrived and is valid. */
  content: AsyncIterable<Uint8Array>
  /** Does work on the database in turn; for a form and a call with `ownTurns`, any other has its turn already (ADR 052). */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /**
   * Asks anew who makes the call and whether they may, for what goes on for long.
   * @throws {Refusal} SESSION_REQUIRED and what else the contract says
   */
  stillAllowed(): Promise<CallerOf<E['access']>>
  /**
   * Checks that the caller has reauthenticated, for a call whose `confirmed` is `told` or `password`.
   * @throws {Refusal} CONFIRMATION_REQUIRED, PASSWORD_CHECK_REQUIRED
   */
  requireConfirmation(how: Exclude<Confirmed, 'told'>): void
  /** Records that this call may take a step that needs two people, for a call with `fourEyes`. */
  passesFourEyes(): void
  /** Says as whom somebody without a session tries to get in, for the traces of a refusal (rules/audit#refusals). */
  triesAs(loginId: string): void
  /** Says whose data it touches (users.id), for a call whose `personal` is `told`. */
  touches(ids: readonly string[]): void
  /** Puts on record whose data leaves next, in a file that is still being written; to be awaited before it does. */
  leaving(ids: readonly string[]): Promise<void>
  /** Writes the audit row of this call inside the transaction that makes the change. */
  audit(tx: Transaction<Database>, entry: AuditEntry): Promise<void>
  /** Writes an audit row of another action: of what a call that is then refused has found out. */
  auditAs(action: AuditAction, tx: Transaction<Database>, entry: AuditEntry): Promise<void>
  /** Writes the audit row of a call that changes nothing but shows what is on record: before it answers. */
  auditLook(entry: AuditEntry): Promise<void>
  /** Writes a row for each record that this call changes, in one statement; for a call with `auditsEach`. */
  auditEach(tx: Transaction<Database>, changed: readonly AuditedOne[]): Promise<void>
}

/** The answer of a call that gives a file: always an attachment. */
export interface FileAnswer {
  name: string
  /** application/octet-stream when it is left out. */
  type?: string
  /** Known before it is opened: there is a Content-Length, and byte ranges are answered. */
  size?: number
  /** Changes with the content, for If-Range; only with a size. */
  tag?: string
  /** @param range only where there is a size, and within it */
  open(range?: ByteRange): Readable | Promise<Readable>
}

/** Handles one call of the contract; refuses with `refuse('CODE')`. */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
  input: ParsedInputOf<E>,
) => Promise<E['answer'] extends 'file' ? FileAnswer : OutputOf<E>>

/** One handler for every call of a domain: a missing one is a type error. */
export type Handlers<D extends Domain> = {
  [K in keyof (typeof contract)[D]]: (typeof contract)[D][K] extends Endpoint
    ? Handler<(typeof contract)[D][K]>
    : never
}
