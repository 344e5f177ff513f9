import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../../config.ts'
import { addressOf, isFromThisMachine } from '../../callers/client-address.ts'
import type { Admission } from '../admission/admission.ts'
import { addBackupMetrics } from './backup-metrics.ts'
import type { Services } from '../handler.ts'
import { registerDatabaseGauges, SCRAPE_TIMEOUT_MS } from './database-metrics.ts'
import { isDiskFull } from '../../services/disk-space.ts'
import { withTimeout } from '../../services/with-timeout.ts'
import { createReadiness, type ReadinessTimes } from './readiness.ts'
import type { RefusalTracker } from '../refusal-tracking.ts'
import { createWriteProbe } from './write-probe.ts'

/**
 * Mounts GET /healthz (the process lives), /readyz (database and storage accept writes; 503 with the failed parts if not, which
 * it also logs) and /metrics (Prometheus). Metrics are for callers with METRICS_TOKEN as bearer token. Without METRICS_TOKEN
 * they are for this machine, but not in production: through a proxy on this machine every client looks local. Others get 404.
 * @param isLeaving whether the server is stopping, or about to, and no longer ready
 * @param readiness times of the checks of /readyz; shorter in tests
 */
export function mountHealth(
  app: FastifyInstance,
  {
    pool,
    services,
    admission,
    refusals,
    isLeaving,
    readiness,
  }: {
    pool: pg.Pool
    services: Services
    admission: Admission
    refusals: RefusalTracker
    isLeaving: () => boolean
    readiness?: ReadinessTimes | undefined
  },
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'maru_request_duration_seconds',
    help: 'Time from request to response in seconds, by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'maru_calls_waiting',
    help: 'Calls that are queued for a slot',
    registers: [registry],
    collect() {
      this.set(admission.waiting())
    },
  })
  new Gauge({
    name: 'maru_database_connections',
    help: 'Database connections of this process, by state; waiting counts queries that are queued for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })

  registerDatabaseGauges(registry, pool, app.log, services.config)

  new Counter({
    name: 'maru_refusals_total',
    help: 'Refused logins and requests, by kind and error code',
    labelNames: ['kind', 'code'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { kind, code, count } of refusals.report()) this.inc({ kind, code }, count)
    },
  })

  const { scanner } = services
  if (scanner !== null) {
    new Counter({
      name: 'maru_scans_total',
      help: 'Virus scans since the start of this process, by result',
      labelNames: ['result'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [result, count] of Object.entries(scanner.report())) this.inc({ result }, count)
      },
    })
  }

  // Not `job`: Prometheus sets that label to the name of the scrape.
  const ofJobs = { labelNames: ['name'] as const, registers: [registry] }
  new Gauge({
    name: 'maru_job_last_run_timestamp_seconds',
    help: 'Unix time in seconds when a job last succeeded in this process; 0 before its first success',
    ...ofJobs,
    collect() {
      for (const { name, lastRunAt } of services.jobs.report()) this.set({ name }, lastRunAt / 1000)
    },
  })
  new Counter({
    name: 'maru_job_failures_total',
    help: 'Failed runs of a job in this process',
    ...ofJobs,
    collect() {
      this.reset()
      for (const { name, failures } of services.jobs.report()) this.inc({ name }, failures)
    },
  })

  new Gauge({
    name: 'maru_data_free_bytes',
    help: 'Free bytes on the disk of the embedded database; absent with an external database',
    registers: [registry],
    async collect() {
      const free = await services.diskSpace.free()
      if (Number.isFinite(free)) this.set(free)
      else this.remove()
    },
  })

  addBackupMetrics(registry, services)

  const checks = {
    database: createWriteProbe(pool, services.diskSpace),
    storage: () => services.storage.ready(),
  }
  const notReady = createReadiness(
    checks,
    (failed) => {
      for (const { name, error } of failed) app.log.error({ part: name, err: error }, 'not ready')
    },
    readiness,
  )

  new Gauge({
    name: 'maru_ready',
    help: '1 while a part accepts writes, 0 while it does not; /readyz checks the same',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      // A part that hangs counts as not ready in the scrape after its timeout.
      const failed = await withTimeout(notReady(), SCRAPE_TIMEOUT_MS, () => undefined)
      if (failed === undefined) return
      for (const part of Object.keys(checks))
        this.set({ part }, failed.some(({ name }) => name === part) ? 0 : 1)
    },
  })

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    const { statusCode: status, elapsedTime } = reply
    duration.observe({ route, status }, elapsedTime / 1000)
    const address = addressOf(request)
    request.log.debug({ method, route, status, ms: Math.round(elapsedTime), address }, 'request')
    done()
  })

  app.get('/healthz', () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    if (isLeaving()) return reply.status(503).send({ status: 'draining' })
    const failed = await notReady()
    if (failed.length === 0) return { status: 'ok' }
    const reason = failed.some(({ error }) => isDiskFull(error)) ? { reason: 'disk full' } : {}
    return reply
      .status(503)
      .send({ status: 'unavailable', failed: failed.map(({ name }) => name), ...reason })
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, services.config)) return reply.status(404).send()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/**
 * Returns whether a request may read /metrics: with METRICS_TOKEN as its bearer token; if no token is set, from this machine
 * outside production.
 */
function mayRead(request: FastifyRequest, { production, secrets }: Config): boolean {
  const token = secrets.metricsToken
  if (token === '') return !production && isFromThisMachine(request)
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
