import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../contract/endpoint.ts'
import { API_BASE, SCIM_BASE } from '../contract/envelope.ts'
import { contract, type Domain } from '../contract/index.ts'
import type { OpenDatabase } from './db/open.ts'
import { account } from './domains/account/index.ts'
import { affiliations } from './domains/affiliations/index.ts'
import { approvals } from './domains/approvals/index.ts'
import { audit } from './domains/audit/index.ts'
import { events } from './domains/events/index.ts'
import { common } from './domains/common/index.ts'
import { home } from './domains/home/index.ts'
import { keys } from './domains/keys/index.ts'
import { mountFileLinks, mountTus, notices } from './domains/notices/index.ts'
import { mountNotificationStream, notifications } from './domains/notifications/index.ts'
import { partners } from './domains/partners/index.ts'
import { roles } from './domains/roles/index.ts'
import { mountScim, scim } from './domains/scim/index.ts'
import { settings, shownNames } from './domains/settings/index.ts'
import { mountBackChannel, sso } from './domains/sso/index.ts'
import { teams } from './domains/teams/index.ts'
import { users } from './domains/users/index.ts'
import { trustOf, watchForProxy } from './callers/client-address.ts'
import { createAdmission } from './http/admission/admission.ts'
import { createCallLimits } from './http/admission/caller-rate-limits.ts'
import { createEnvelope } from './http/envelope.ts'
import { answerError, answerFailure } from './http/error-response.ts'
import type { Handler, Handlers, Services } from './http/handler.ts'
import { mountHeaders } from './http/headers.ts'
import { mountHealth } from './http/health/health.ts'
import { IN_FLIGHT, type InFlightLimits, limitInFlight } from './http/admission/in-flight.ts'
import { mount } from './http/mount.ts'
import { mountPlain, mountPlainDocument } from './http/plain.ts'
import { answerNotFound, readableUrl } from './http/not-found.ts'
import { mountPages, PAGES_DIR } from './http/pages.ts'
import type { ReadinessTimes } from './http/health/readiness.ts'
import { trackRefusals } from './http/refusal-tracking.ts'
import { limitBodies } from './http/request-body.ts'

/** The handlers of every call of the contract. A missing domain or call does not compile. */
const handlers: { [D in keyof typeof contract]: Handlers<D> } = {
  account,
  users,
  approvals,
  common,
  notices,
  keys,
  partners,
  affiliations,
  teams,
  roles,
  audit,
  events,
  notifications,
  settings,
  sso,
  scim,
  home,
}

/** Milliseconds that the body of a call may take to arrive, by default. */
const MAX_BODY_MS = 60_000

/** Milliseconds after which a file transfer that does not progress is cut off, by default. */
const MAX_STALL_MS = 60_000

/** Parts that the app is built from: the real ones, in tests too. */
export interface AppParts {
  database: Pick<OpenDatabase, 'db' | 'pool' | 'longReads'>
  services: Services
  logger: FastifyBaseLogger
  /** Whether the server is stopping. New calls then get status 503. */
  isDraining?: () => boolean
  /** Whether the server stops soon. It still answers calls, but `/readyz` reports that it is not ready. */
  isLeaving?: () => boolean
  /** Folder of the built pages. */
  pagesDir?: string
  /** Milliseconds after which a body that has not arrived completely is cut off. */
  maxBodyMs?: number
  /** Milliseconds after which a file transfer without progress, in either direction, is cut off. */
  maxStallMs?: number
  /** Milliseconds that `/readyz` waits, and for which it repeats its result. */
  readiness?: ReadinessTimes
  /** Milliseconds that a call may be queued. */
  maxWaitMs?: number
  /** Limits of the bodies that arrive concurrently. */
  inFlight?: Partial<InFlightLimits>
  /** Largest size of an attached file, in bytes. Smaller in tests. */
  maxFileBytes?: number
  /** Milliseconds between two checks of the session of an open stream. Short in tests. */
  sessionCheckMs?: number
  /** Returns the current time for everything that counts calendar days. Tests set it. */
  clock?: () => Date
}

/**
 * Composes the server's app, in production and tests: mounts every call of the contract, the requests outside the
 * envelope (SCIM, tus, file links, event stream), health and pages. Does not listen and starts no job.
 * While `isDraining`, calls are answered with 503 UNAVAILABLE and 5 seconds to wait.
 */
export async function createApp({
  database,
  services,
  logger,
  isDraining = () => false,
  isLeaving = isDraining,
  pagesDir = PAGES_DIR,
  maxBodyMs = MAX_BODY_MS,
  maxStallMs = MAX_STALL_MS,
  readiness,
  maxWaitMs,
  inFlight,
  maxFileBytes,
  sessionCheckMs,
  clock = () => new Date(),
}: AppParts): Promise<FastifyInstance> {
  const { config } = services
  const app = Fastify({
    loggerInstance: logger,
    trustProxy: trustOf(config.trustProxy),
    genReqId: () => randomUUID(),
    rewriteUrl: readableUrl,
    return503OnClosing: false,
    // A proxy logs one line per request. Maru logs failures.
    logController: new LogController({ disableRequestLogging: true }),
  })

  // The envelope opens a body of any type, and refuses a body that it cannot read.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerNotFound)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
    if (isDraining() && [API_BASE, SCIM_BASE].some((base) => request.url.startsWith(base)))
      return answerFailure(request, reply, 'UNAVAILABLE', { retryAfterSeconds: 5 })
  })
  // A connection that stays open for a next call would delay the stop until the drain ends.
  app.addHook('onSend', async (_request, reply) => {
    if (isLeaving()) reply.header('Connection', 'close')
  })

  limitBodies(app, { maxBodyMs, maxStallMs })
  const refusals = trackRefusals(app, database.pool)

  mountHeaders(app, config)
  if (config.trustProxy === false) watchForProxy(app)

  const admission = createAdmission(database.pool.options.max, maxWaitMs, isDraining)
  const isProxied = config.trustProxy !== false
  limitInFlight(app, admission, { isProxied, limits: { ...IN_FLIGHT, ...inFlight } })
  const parts = {
    db: database.db,
    pool: database.pool,
    longReads: database.longReads,
    services,
    admission,
    callLimits: createCallLimits(config.callLimitPercent),
    envelope: createEnvelope(config.envelope),
    clock,
    ...(maxFileBytes !== undefined && { maxFileBytes }),
    ...(sessionCheckMs !== undefined && { sessionCheckMs }),
  }
  /** Mounts the calls of a domain twice: in the envelope at their own paths, and as plain JSON by domain and name. */
  function mountAll<C extends Record<string, Endpoint>>(
    domain: string,
    calls: C,
    own: { [K in keyof C]: Handler<C[K]> },
  ) {
    for (const name in calls) {
      mount(app, calls[name], own[name], parts)
      mountPlain(app, `${domain}/${name}`, calls[name], own[name], parts)
    }
  }
  for (const domain in contract) mountAll(domain, contract[domain as Domain], handlers[domain as Domain])
  mountPlainDocument(app)
  mountScim(app, parts)
  mountTus(app, parts)
  mountFileLinks(app, parts)
  mountNotificationStream(app, parts)
  mountBackChannel(app, parts)
  mountHealth(app, { pool: database.pool, services, admission, refusals, isLeaving, readiness })
  await mountPages(app, services, shownNames, pagesDir)
  return app
}
