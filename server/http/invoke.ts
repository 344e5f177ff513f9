import type { FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import * as z from 'zod/mini'
import {
  type Access,
  type AuditAction,
  type Endpoint,
  GUEST_LIMIT,
  needsRoom,
} from '../../contract/endpoint.ts'
import { refuse } from '../../contract/errors.ts'
import type { Messages } from '../../contract/messages/ko.ts'
import { MAX_FILE_BYTES } from '../../contract/notices.ts'
import { can } from '../../contract/permissions.ts'
import type { WireNames } from '../../contract/wire.ts'
import type { LongReads } from '../db/long-reads.ts'
import type { Db } from '../db/database.ts'
import { type AuditEntry, recordAudit, recordAudits } from '../records/audit.ts'
import { byPerson } from '../services/mail.ts'
import { type AccessRecorder, createAccessRecorder } from './access-recorder.ts'
import { addressOf, networkOf } from '../callers/client-address.ts'
import type { Admission } from './admission/admission.ts'
import { requireReauthentication } from './authorize.ts'
import type { CallLimits } from './admission/caller-rate-limits.ts'
import { DISK_FULL_SECONDS, InvalidInput, languageOf } from './error-response.ts'
import type { Answer, Call, CallerOf, Handler, Services } from './handler.ts'
import { addRequestNotes } from './refusal-tracking.ts'
import { findService } from '../callers/service-tokens.ts'
import { createSessionCookies, type SessionCookies } from '../callers/session-cookie.ts'
import { parseByteCount } from './request-body.ts'

/** Services and settings that handling a call needs. */
export interface InvokeOptions {
  db: Db
  longReads: LongReads
  pool: pg.Pool
  services: Services
  admission: Admission
  callLimits: CallLimits
  clock: () => Date
  /** Maximum size of an attached file; by default that of the contract. */
  maxFileBytes?: number
  /** Interval at which the session of an event stream is checked; shorter in tests. */
  sessionCheckMs?: number
}

/** Steps of a call that depend on how clients write it: the envelope, or plain JSON. */
export interface Layer<E extends Endpoint> {
  /** Returns the caller, and checks that they may make the call. @throws {Refusal} the codes of the access policy */
  authenticate(request: FastifyRequest): Promise<CallerOf<E['access']>>
  /**
   * Decodes the body. The schema of the endpoint checks the input.
   * @returns the input, and for a form the content of its file, which is opened after the input is valid
   */
  read(request: FastifyRequest): Promise<{ input: unknown; content?: () => AsyncIterable<Uint8Array> }>
  /** Converts a field's name to the one that the client uses, for the field of a failure. */
  names: Pick<WireNames, 'toWire'>
}

/** Result of a call that succeeded: what its response needs. */
export interface Result<E extends Endpoint> {
  output: Answer<E>
  /** Key of the text of success; undefined without one. */
  message: keyof Messages['success'] | undefined
  /** Lines of the header Set-Cookie. */
  cookies: readonly string[]
}

/** Steps of a call that are the same for every layer. */
export interface Invocation<E extends Endpoint> {
  /**
   * Hook that refuses a call by its headers alone.
   * @throws {Refusal} DISK_FULL if the disk is nearly full and the call writes; TOO_MANY_CALLS if the limit of its user is
   * exhausted
   */
  limitCalls: (request: FastifyRequest) => Promise<void>
  /** Hook that authenticates the caller of a large body before it is read. */
  findSender: (request: FastifyRequest) => Promise<void>
  /**
   * Authenticates the caller, checks the input, runs the handler in a slot and writes the access log.
   * @throws {Refusal} as the layer, the limits and the handler
   * @throws {InvalidInput} if the input does not match its schema
   */
  invoke: (request: FastifyRequest) => Promise<Result<E>>
}

/**
 * Creates the steps of one call (design/requests-and-load#layers). Reads top to bottom as a call is handled: the user's
 * limit, its slot, session or token, access, input, the network's limit, handler.
 */
export function createInvocation<E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  options: InvokeOptions,
  layer: Layer<E>,
): Invocation<E> {
  const { services } = options
  const isForm = endpoint.body === 'multipart'
  const isWrite = needsRoom(endpoint)
  const takesTurns = isForm || endpoint.ownTurns === true

  const counted = new WeakSet<FastifyRequest>()

  /** Authenticates the caller and counts the call. @throws {Refusal} as the layer and `countCall` */
  const identify = async (request: FastifyRequest) => {
    const caller = await layer.authenticate(request)
    await countCall(request, personIdOf(caller))
    return caller
  }

  /**
   * Counts a call of a user once, and refuses it above the limit of the endpoint. Runs only after a lookup has
   * confirmed the user, so that calls of an ended session do not count. Without a user it does nothing.
   * @throws {Refusal} TOO_MANY_CALLS
   */
  const countCall = async (request: FastifyRequest, personId: string | undefined) => {
    if (personId === undefined || counted.has(request)) return
    counted.add(request)
    await options.callLimits.use(endpoint.perPerson, personId, true)
  }

  /**
   * Refuses a call by its headers alone, before its body is read. DISK_FULL, if the disk is nearly full and the
   * call writes. TOO_MANY_CALLS, if this process knows the user and the user's limit is exhausted. Makes no
   * query, so it cannot check the first call of a session on this process.
   */
  const limitCalls = async (request: FastifyRequest) => {
    if (isWrite && (await services.diskSpace.isLow()))
      refuse('DISK_FULL', { retryAfterSeconds: DISK_FULL_SECONDS })
    const person = options.admission.knownUserId(request)
    if (person === undefined) return
    addRequestNotes(request, { person: { id: person } })
    await options.callLimits.refuseExcess(endpoint.perPerson, person)
  }

  /**
   * Counts a call for its network (IP address), if the endpoint has such a limit. Runs after caller and input
   * are found valid: invalid requests cost little, and must not use up the limit of other users of a shared
   * address.
   * @throws {Refusal} TOO_MANY_TRIES
   */
  const limitAddress = async (request: FastifyRequest, actor: CallerOf<E['access']>) => {
    const limit = limitOf(endpoint, actor !== null)
    if (limit === undefined) return
    const use = () => services.limits.use(endpoint.path, limit, addressOf(request))
    await (takesTurns ? options.admission.inTurn(request, endpoint, use) : use())
  }

  /**
   * Authenticates the caller of a large body before it is read, and logs a failure. Does nothing for a small
   * body, which has already arrived with its headers, and for a public call.
   */
  const findSender = async (request: FastifyRequest) => {
    if (endpoint.access === 'public' || !isLarge(request)) return
    const access = createAccessRecorder(endpoint, request, services.accessLog)
    const inTurn = <T>(work: () => Promise<T>) => options.admission.inTurn(request, endpoint, work)
    if (endpoint.access !== 'service') {
      const caller = await recordingFailure(access, () => inTurn(() => layer.authenticate(request)))
      await countCall(request, personIdOf(caller))
    } else if ((await inTurn(() => findService(options.pool, request))) === null) {
      refuse('SERVICE_TOKEN_REQUIRED')
    }
  }

  /**
   * Handles a call of an authenticated caller: reads and checks the input, counts the call for its network, and
   * runs the handler with its `Call`.
   * @returns the output, and the key of the message of success
   * @throws {InvalidInput} if the input does not match the schema
   */
  const handle = async (
    request: FastifyRequest,
    actor: CallerOf<E['access']>,
    access: AccessRecorder,
    cookies: SessionCookies,
  ) => {
    const sent = await layer.read(request)
    if (isLarge(request)) await nextTurn()
    const input = z.safeParse<E['input']>(endpoint.input, sent.input)
    if (!input.success) {
      const [issue] = input.error.issues
      throw issue === undefined ? input.error : new InvalidInput(issue, layer.names)
    }

    await limitAddress(request, actor)
    access.begin(input.data)

    const address = addressOf(request)
    let isUnchecked = endpoint.fourEyes === true
    const auditAs = async (action: AuditAction, db: Db, entry: AuditEntry) => {
      if (entry.actorId !== undefined) access.setActor(entry.actorId)
      if (entry.records !== null) access.addSubjectsOfRecords(entry.records)
      if (endpoint.auditsChangeOnly && action === endpoint.audit && isEmpty(entry.detail)) return
      const detail = { ...entry.detail, ...programIn(actor) }
      await recordAudit(db, {
        actorId: personIdOf(actor),
        ...entry,
        detail,
        action,
        address,
        requestId: request.id,
      })
    }
    const audit = (db: Db, entry: AuditEntry) => {
      if (endpoint.audit === 'none') throw new Error(`${endpoint.path} declares no audit action`)
      if (isUnchecked) throw new Error(`${endpoint.path} did not check that it takes two people`)
      return auditAs(endpoint.audit, db, entry)
    }
    const call: Call<E> = {
      actor,
      mayActOnOthers: mayActOnOthers(endpoint, actor),
      db: options.db,
      longReads: options.longReads,
      services,
      language: languageOf(request),
      address,
      requester: requesterOf(actor, address),
      now: options.clock,
      maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
      cookies,
      bodyBytes: parseByteCount(request.headers['content-length']) ?? null,
      content: sent.content?.() ?? NOTHING,
      triesAs: (loginId) => addRequestNotes(request, { triedId: loginId }),
      inTurn: (work) => (takesTurns ? options.admission.inTurn(request, endpoint, work) : work()),
      stillAllowed: () => identify(request),
      requireConfirmation(how) {
        if (endpoint.confirmed !== 'told' && endpoint.confirmed !== how)
          throw new Error(`${endpoint.path} does not declare how it is confirmed`)
        if (actor === null || !('confirmed' in actor)) return refuse('CONFIRMATION_REQUIRED')
        requireReauthentication(actor, how)
      },
      passesFourEyes() {
        if (endpoint.fourEyes !== true) throw new Error(`${endpoint.path} does not declare fourEyes`)
        isUnchecked = false
      },
      touches: (ids) => access.addSubjects(ids),
      leaving: (ids) => access.recordExported(ids),
      audit,
      auditAs,
      log: request.log,
      // One statement, so it needs no transaction.
      auditLook: (entry) => audit(options.db, entry),
      auditEach(tx, changed, action) {
        const isDeclared =
          action === undefined || action === endpoint.audit || endpoint.auditsToo?.includes(action)
        if (endpoint.audit === 'none' || isUnchecked || !isDeclared)
          throw new Error(`${endpoint.path} declares no audit action`)
        const row = {
          actorId: personIdOf(actor),
          action: action ?? endpoint.audit,
          address,
          requestId: request.id,
        }
        if (row.action.startsWith('user.')) access.addSubjects(changed.map(({ id }) => id))
        const program = programIn(actor)
        const entries = program
          ? changed.map((one) => ({ ...one, detail: { ...one.detail, ...program } }))
          : changed
        return recordAudits(tx, entries, row)
      },
    }
    const output = ((await handler(call, input.data)) ?? {}) as Answer<E>
    return {
      output,
      message: successKeyOf(endpoint, input.data, services.settings.mailServer().smtpUrl === ''),
    }
  }

  const invoke = async (request: FastifyRequest): Promise<Result<E>> => {
    const inTurn = <T>(work: () => Promise<T>) => options.admission.inTurn(request, endpoint, work)
    // A call that takes its slots itself holds none while its client sends a file or the storage is slow.
    const access = createAccessRecorder(endpoint, request, services.accessLog)
    const cookies = createSessionCookies(request, services.config.session.absoluteSeconds)
    const work = async () => {
      const answered = takesTurns
        ? await handle(request, await inTurn(() => identify(request)), access, cookies)
        : await inTurn(async () => handle(request, await identify(request), access, cookies))
      // After the slot is free: the log writes the rows of many calls together, and must not hold up other calls.
      await access.recordSuccess(answered.output)
      return answered
    }
    return { ...(await recordingFailure(access, work)), cookies: cookies.lines }
  }

  return { limitCalls, findSender, invoke }
}

/** Runs the work of a call. If it fails, writes the failure to the access log before the error is thrown again. */
async function recordingFailure<T>(access: AccessRecorder, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await access.recordFailure(error)
    throw error
  }
}

/** Bytes up to which a body usually arrives with its headers. */
const SMALL_BODY = 16 * 1024

/** Returns whether a body is larger than SMALL_BODY or of unknown size, so that it arrives after its headers. */
function isLarge({ headers }: FastifyRequest): boolean {
  return 'transfer-encoding' in headers || (parseByteCount(headers['content-length']) ?? 0) > SMALL_BODY
}

/** Returns whether an audit detail is an object without fields; false for undefined. */
const isEmpty = (detail: AuditEntry['detail']) => detail !== undefined && Object.keys(detail).length === 0

/**
 * Returns the rate limit per IP address of an endpoint: its own, or GUEST_LIMIT for a public call by a caller
 * without a session; undefined for none.
 */
function limitOf({ access, limit }: Endpoint, isKnown: boolean) {
  return limit ?? (access === 'public' && !isKnown ? GUEST_LIMIT : undefined)
}

/**
 * Returns the key of the message of success of a call: `message` of the endpoint, undefined without one. A call
 * that sends email has another one (`mails`) if emails are only written to files, unless the input has the field
 * `mailsUnless`.
 * @param isWritten true if there is no mail server, so that emails are written to files
 */
function successKeyOf({ mails, mailsUnless, message }: Endpoint, input: unknown, isWritten: boolean) {
  const isMade = mailsUnless === undefined || (input as Record<string, unknown>)[mailsUnless] === undefined
  return isWritten && isMade ? (mails ?? message) : message
}

/**
 * Returns whether the caller has a permission that the endpoint lists in `others` (`Call.mayActOnOthers`); false
 * without a session.
 */
function mayActOnOthers({ others = [] }: Endpoint, caller: CallerOf<Access>): boolean {
  return caller !== null && 'functions' in caller && others.some((name) => can(caller, name))
}

/** Returns users.id of the caller; undefined for a service, an identity provider and without a session. */
function personIdOf(caller: CallerOf<Access>): string | undefined {
  return caller !== null && 'id' in caller ? caller.id : undefined
}

/**
 * Returns the detail that an audit row adds about its caller: the name of the program that makes the call for its user
 * (rules/keys#program-tokens), or of the identity provider (rules/scim#trail); undefined for others.
 */
function programIn(caller: CallerOf<Access>) {
  if (caller !== null && 'providerId' in caller) return { providerName: caller.name }
  return caller !== null && 'program' in caller && caller.program !== undefined
    ? { programName: caller.program.name }
    : undefined
}

/** Returns the key of the caller for shared resources (`Call.requester`). */
function requesterOf(caller: CallerOf<Access>, address: string): string {
  const id = personIdOf(caller)
  return id === undefined ? networkOf(address) : byPerson(id)
}

/** Empty content of a call that carries no file. */
const NOTHING: AsyncIterable<Uint8Array> = Readable.from([])
