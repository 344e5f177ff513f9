import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Kysely } from 'kysely'
import { type Endpoint, maxBytesOf } from '../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { refuse } from '../../contract/errors.ts'
import { catalogues } from '../../contract/messages/index.ts'
import { MAX_FILE_BYTES } from '../../contract/notices.ts'
import { can } from '../../contract/permissions.ts'
import { describeIssue } from '../../contract/validation.ts'
import { fromWire, toWire, wireNames } from '../../contract/wire.ts'
import type { LongReads } from '../db/long-reads.ts'
import type { Database } from '../db/types.ts'
import { recordAudit } from '../services/audit.ts'
import { addressOf } from './address.ts'
import type { Envelope } from './envelope.ts'
import { answerFailure, languageOf } from './failure.ts'
import { answerFile } from './file-answer.ts'
import { contentOf, openForm, takeForms } from './form.ts'
import type { Call, FileAnswer, Handler, Services } from './handler.ts'
import { findService, type ServiceCaller } from './services.ts'
import { findSession, type SignedIn } from './sessions.ts'

/** What every call is answered with. */
export interface MountOptions {
  db: Kysely<Database>
  longReads: LongReads
  pool: pg.Pool
  services: Services
  envelope: Envelope
  clock: () => Date
  /** How large an attached file may be; as the contract says when it is left out. */
  maxFileBytes?: number
}

/**
 * Mounts one call of the contract. Reads top to bottom as a call is answered: address limit, session,
 * access, envelope, input, handler, output.
 */
export function mount(
  app: FastifyInstance,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
  options: MountOptions,
): void {
  const { services, envelope } = options
  const names = wireNames(endpoint.path)

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (endpoint.limit !== undefined)
      await services.limits.use(endpoint.path, endpoint.limit, addressOf(request))

    const actor =
      endpoint.access === 'service'
        ? await requireService(request, options.pool)
        : await authorise(request, endpoint, options)

    const form =
      endpoint.body === 'multipart' && request.isMultipart() ? await openForm(request, names) : null
    const sent = form?.fields ?? fromWire(endpoint.path, envelope.open(request.body as Buffer | undefined))
    const input = endpoint.input.safeParse(sent)
    if (!input.success) {
      const [issue] = input.error.issues
      if (issue === undefined) throw input.error
      const { field, msg } = describeIssue(catalogues[languageOf(request)], issue)
      return answerFailure(request, reply, 'INPUT_INVALID', {
        field: field && names.toWire(field),
        msg,
      })
    }

    const call = callOf(endpoint, request, actor as SignedIn, options)
    const output = await (endpoint.body === 'multipart'
      ? (handler as Handler<UploadEndpoint>)(call, input.data, contentOf(form, names))
      : handler(call, input.data))
    if (endpoint.answer === 'file') return answerFile(request, reply, output as FileAnswer)

    // Stripped through the schema: what the contract does not name does not leave the server.
    const data = envelope.seal(toWire(endpoint.path, endpoint.output.parse(output)))
    const msg = endpoint.message && catalogues[languageOf(request)].success[endpoint.message]
    return reply.send(msg === undefined ? { DATA: data } : { DATA: data, msg })
  }

  if (endpoint.body === 'multipart') takeForms(app, API_BASE + endpoint.path, answer)
  else app.post(API_BASE + endpoint.path, { bodyLimit: maxBytesOf(endpoint) }, answer)
}

/** A session is no token of a service, nor the other way round: each is looked for where it counts. */
async function requireService(request: FastifyRequest, pool: pg.Pool): Promise<ServiceCaller> {
  return (await findService(pool, request)) ?? refuse('SERVICE_TOKEN_REQUIRED')
}

type UploadEndpoint = Endpoint & { body: 'multipart' }

/**
 * Who makes a request, once it is sure that they may make this call.
 * @throws {Refusal} SESSION_REQUIRED and what else the contract says
 */
export async function authorise(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: Pick<MountOptions, 'pool' | 'services'>,
): Promise<SignedIn | null> {
  const actor = await whoCalls(request, endpoint, options)
  checkAccess(endpoint, actor)
  return actor
}

async function whoCalls(
  request: FastifyRequest,
  endpoint: Endpoint,
  { pool, services }: Pick<MountOptions, 'pool' | 'services'>,
): Promise<SignedIn | null> {
  const token = request.headers[SESSION_HEADER.toLowerCase()]
  if (typeof token !== 'string' || token === '') return null
  return findSession(pool, services.config.session, token, endpoint.leavesSessionIdle !== true)
}

/** Deny by default (rules/roles#deny-by-default): what is not public needs a session, and the function it names. */
export function checkAccess(endpoint: Endpoint, actor: SignedIn | null): void {
  const { access } = endpoint
  // A service has shown its token by now, or was refused.
  if (access === 'public' || access === 'service') return
  if (actor === null) refuse('SESSION_REQUIRED')
  if (actor.passwordTemporary && endpoint.duringPasswordChange !== true) refuse('PASSWORD_CHANGE_REQUIRED')
  if (access === 'signed-in') return
  if (!access.function.some((name) => can(actor, name))) refuse(access.refusal ?? 'FORBIDDEN')
}

function callOf(endpoint: Endpoint, request: FastifyRequest, actor: SignedIn, options: MountOptions): Call {
  const address = addressOf(request)
  return {
    actor,
    db: options.db,
    longReads: options.longReads,
    services: options.services,
    language: languageOf(request),
    address,
    now: options.clock,
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    audit(tx, entry) {
      if (endpoint.audit === 'none') throw new Error(`${endpoint.path} declares no audit action`)
      const actorId = entry.actorId ?? actor?.id
      return recordAudit(tx, {
        ...entry,
        ...(actorId === undefined ? {} : { actorId }),
        action: endpoint.audit,
        address,
        requestId: request.id,
      })
    },
  }
}
