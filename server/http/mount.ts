import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Kysely } from 'kysely'
import type { Endpoint } from '../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { refuse } from '../../contract/errors.ts'
import { catalogues } from '../../contract/messages/index.ts'
import { can } from '../../contract/permissions.ts'
import { describeIssue } from '../../contract/validation.ts'
import type { Database } from '../db/types.ts'
import { recordAudit } from '../services/audit.ts'
import { addressOf } from './address.ts'
import type { Envelope } from './envelope.ts'
import { answerFailure, languageOf } from './failure.ts'
import type { Call, FileAnswer, Handler, Services } from './handler.ts'
import { findService, type ServiceCaller } from './services.ts'
import { findSession, type SignedIn } from './sessions.ts'

/** What every call is answered with. */
export interface MountOptions {
  db: Kysely<Database>
  pool: pg.Pool
  services: Services
  envelope: Envelope
  clock: () => Date
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

  app.post(API_BASE + endpoint.path, async (request, reply) => {
    if (endpoint.limit !== undefined)
      await services.limits.use(endpoint.path, endpoint.limit, addressOf(request))

    const actor = await whoCalls(endpoint, request, options)
    checkAccess(endpoint, actor as SignedIn | null)

    const input = endpoint.input.safeParse(envelope.open(request.body as Buffer | undefined))
    if (!input.success) {
      const [issue] = input.error.issues
      if (issue === undefined) throw input.error
      const { field, msg } = describeIssue(catalogues[languageOf(request)], issue)
      return answerFailure(request, reply, 'INPUT_INVALID', { field, msg })
    }

    const output = await handler(callOf(endpoint, request, actor as SignedIn, options), input.data)
    if (endpoint.answer === 'file') return answerFile(reply, output as FileAnswer)

    // Stripped through the schema: what the contract does not name does not leave the server.
    const data = envelope.seal(endpoint.output.parse(output))
    const msg = endpoint.message && catalogues[languageOf(request)].success[endpoint.message]
    return reply.send(msg === undefined ? { DATA: data } : { DATA: data, msg })
  })
}

type Caller = SignedIn | ServiceCaller | null

async function whoCalls(
  endpoint: Endpoint,
  request: FastifyRequest,
  { pool, services }: MountOptions,
): Promise<Caller> {
  // A session is no token of a service, nor the other way round: each is looked for where it counts.
  if (endpoint.access === 'service')
    return (await findService(pool, request)) ?? refuse('SERVICE_TOKEN_REQUIRED')
  const token = request.headers[SESSION_HEADER.toLowerCase()]
  if (typeof token !== 'string' || token === '') return null
  return findSession(pool, services.config.session, token)
}

/** Deny by default (decisions §5): what is not public needs a session, and the function it names. */
function checkAccess(endpoint: Endpoint, actor: SignedIn | null): void {
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
    services: options.services,
    language: languageOf(request),
    address,
    now: options.clock,
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

function answerFile(reply: FastifyReply, file: FileAnswer): FastifyReply {
  // RFC 5987: the Korean name intact in every browser; the plain name is for what is older.
  const plain = file.name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  return reply
    .header('Content-Type', 'application/octet-stream')
    .header('Content-Length', file.size)
    .header(
      'Content-Disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeRfc5987(file.name)}`,
    )
    .send(file.stream)
}

function encodeRfc5987(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
