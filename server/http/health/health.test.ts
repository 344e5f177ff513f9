import type { FastifyInstance } from 'fastify'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer, Socket, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { checkId, login } from '../../../contract/account.ts'
import { getAuthority, listCodes } from '../../../contract/common.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { listUsers } from '../../../contract/users.ts'
import { createApp } from '../../app.ts'
import { camelCaseNames } from '../../db/column-names.ts'
import { openLongReads } from '../../db/long-reads.ts'
import type { Database } from '../../db/types.ts'
import { queueMail } from '../../services/mail.ts'
import { untilBlocked } from '../../../dev/test-kit/locks.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { sealInput } from '../../../dev/test-kit/seal.ts'
import { createAddressLimits } from '../admission/rate-limits.ts'

const maru = useMaru({}, { readiness: { timeoutMs: 5_000, cacheMs: 0 } })

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a database that is away (rules/running#broken-connections)', () => {
  test.each(['localhost', '127.0.0.1', 'name.invalid', '/nowhere/socket'])(
    'answers 503 UNAVAILABLE with Retry-After to every call, with a pool on %s',
    async (host) => {
      const pool = new pg.Pool({ host, port: await deadPort(), connectionTimeoutMillis: 2_000 })
      const app = await appOn(pool)
      for (const { path } of [login, listCodes, listUsers]) {
        const response = await callOn(app, path)
        expect.soft([path, response.statusCode, response.json().code]).toEqual([path, 503, 'UNAVAILABLE'])
        expect.soft(response.headers['retry-after']).toBe('5')
        expect.soft(response.body).not.toContain(host)
      }
      const ready = await app.inject('/readyz')
      expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unavailable', failed: ['database'] }])
      expect((await app.inject('/healthz')).statusCode).toBe(200)
      const metrics = await app.inject('/metrics')
      expect([metrics.statusCode, metrics.body]).toEqual([200, expect.stringContaining('maru_calls_waiting')])
      expect(metrics.body).not.toMatch(/^maru_files_missing /m)
      await app.close()
      await pool.end()
    },
  )

  test('is 503 UNAVAILABLE when its host has several addresses and none answers', async () => {
    const pool = new pg.Pool({
      host: 'two.addresses',
      port: await deadPort(),
      stream: () => new SocketToTwo(),
    })
    const app = await appOn(pool)
    const response = await callOn(app, listUsers.path)
    expect([response.statusCode, response.json().code]).toEqual([503, 'UNAVAILABLE'])
    await app.close()
    await pool.end()
  })

  test('is 503 UNAVAILABLE when its host vanishes silently during a call', async () => {
    const silent = createServer((socket) => {
      // Answers the connection as PostgreSQL does (authenticated, ready), and nothing after that.
      socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')))
      socket.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const pool = new pg.Pool({ host: '127.0.0.1', port, query_timeout: 300 })
    const app = await appOn(pool)
    const response = await callOn(app, listUsers.path)
    expect([response.statusCode, response.json().code]).toEqual([503, 'UNAVAILABLE'])
    await app.close()
    await pool.end()
    silent.close()
  })

  test('is 503 UNAVAILABLE when a connection breaks between two queries of a call', async () => {
    const pool = new pg.Pool(maru.database.pool.options)
    const client = await pool.connect()
    client.on('error', () => {})
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await maru.database.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    await expect.poll(() => client.query('select 1').catch(String)).toContain('is not queryable')
    const broken = Object.assign(pool, {
      connect: () => Promise.resolve(client),
      query: (text: string) => client.query(text),
    })
    const app = await appOn(broken)
    const response = await callOn(app, listUsers.path)
    expect([response.statusCode, response.json().code]).toEqual([503, 'UNAVAILABLE'])
    await app.close()
  })

  test('is noticed by limits on every connection', async () => {
    const { options } = maru.database.pool
    const { rows } = await maru.database.pool.query<{ ms: number }>(
      `select setting::int as ms from pg_settings where name = 'statement_timeout'`,
    )
    expect(options.keepAlive).toBe(true)
    expect(rows[0]?.ms).toBeGreaterThan(0)
    expect(options.query_timeout).toBeGreaterThan(Number(rows[0]?.ms))
    expect(options.query_timeout).toBeLessThan(120_000)
  })

  test('answers 503 when a connection breaks during a call, and serves the next one', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const locker = await maru.database.pool.connect()
    await locker.query('begin; lock table users in access exclusive mode')
    const waiting = maru.call(listUsers, {}, { session: admin.session })
    await untilBlocked(locker)
    await locker.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    expect(await waiting).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    await locker.query('rollback')
    locker.release()
    expect((await maru.call(listUsers, {}, { session: admin.session })).status).toBe(200)
  })
})

describe('a server that stops (rules/running#stop)', () => {
  test('answers 503 UNAVAILABLE to new calls and on /readyz, but not on /healthz', async () => {
    const app = await createApp({
      database: maru.database,
      services: maru.services,
      logger: pino({ level: 'silent' }),
      isDraining: () => true,
    })
    const call = await app.inject({
      method: 'POST',
      url: API_BASE + listCodes.path,
      headers: JSON_TYPE,
      payload: '{}',
    })
    expect([call.statusCode, call.json().code]).toEqual([503, 'UNAVAILABLE'])
    expect(call.headers.connection).toBe('close')
    const ready = await app.inject('/readyz')
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'draining' }])
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    await app.close()
  })

  test('answers a call that runs and ends its connection, and 503 to those that wait', async () => {
    let isDraining = false
    const app = await createApp({
      database: maru.database,
      services: maru.services,
      logger: pino({ level: 'silent' }),
      isDraining: () => isDraining,
    })
    const locker = await maru.database.pool.connect()
    await locker.query('begin; lock table codes in access exclusive mode')
    const payload = sealInput(listCodes, { codeGroup: 'COMBEL001' })
    const calls = Array.from({ length: maru.database.pool.options.max }, () =>
      app.inject({ method: 'POST', url: API_BASE + listCodes.path, headers: JSON_TYPE, payload }),
    )
    await untilBlocked(locker)
    isDraining = true
    await locker.query('rollback')
    locker.release()
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 503]))
    expect(new Set(answers.map(({ headers }) => headers.connection))).toEqual(new Set(['close']))
    await app.close()
  })
})

describe('health and metrics (rules/running#health, rules/running#metrics)', () => {
  test('answers 200 at /healthz and /readyz if database and storage respond', async () => {
    expect((await maru.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await maru.app.inject('/readyz')).json()).toEqual({ status: 'ok' })
  })

  test('answers 503 at /readyz if files cannot be stored', async () => {
    rmSync(join(maru.dataDir, 'files'), { recursive: true })
    const ready = await maru.app.inject('/readyz')
    const { body } = await maru.app.inject('/metrics')
    mkdirSync(join(maru.dataDir, 'files', '.incoming'), { recursive: true })
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unavailable', failed: ['storage'] }])
    expect(body).toMatch(/^maru_ready\{part="database"\} 1\nmaru_ready\{part="storage"\} 0$/m)
    expect((await maru.app.inject('/metrics')).body).toMatch(/^maru_ready\{part="storage"\} 1$/m)
  })

  test('/metrics returns Prometheus text by route and status, to this machine only', async () => {
    await maru.call(getAuthority, {})
    const response = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(response.statusCode).toBe(200)
    expect(response.body).toContain(
      'maru_request_duration_seconds_count{route="/api/cm/v1/get/authority",status="401"}',
    )
    expect((await maru.app.inject({ url: '/metrics', remoteAddress: '203.0.113.5' })).statusCode).toBe(404)
  })

  test('/metrics says how long the mail has waited that waits longest', async () => {
    const { db } = maru.database
    await db.transaction().execute(async (tx) => {
      const text = mailTexts.en.temporaryPassword('Maru Inc.', 'kim', 'abcd-efgh')
      await queueMail(tx, { to: 'kim@example.com', language: 'en', text, link: null, requester: 'test' })
      await sql`update mails set created_at = now() - interval '2 hours', next_try_at = now() + interval '1 hour'`.execute(
        tx,
      )
    })
    const { body } = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(body).toMatch(/^maru_mail_waits_seconds 72\d\d$/m)
    await db.deleteFrom('mails').execute()
    const after = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(after.body).toMatch(/^maru_mail_waits_seconds 0$/m)
  })

  test('/metrics gives for each job when it last succeeded and how often it failed', async () => {
    await expect.poll(() => maru.services.jobs.report()[0]?.lastRunAt).toBeGreaterThan(0)
    const { body } = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(body).toMatch(/^maru_job_last_run_timestamp_seconds\{name="mail"\} 1\d{9}/m)
    expect(body).toMatch(/^maru_job_failures_total\{name="mail"\} 0$/m)
  })

  test('/metrics answers while the database hangs, and leaves out what it never knew', async () => {
    const hangs = Object.assign(new pg.Pool(), { query: () => new Promise(() => {}) })
    const app = await appOn(hangs)
    const { statusCode, body } = await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect([statusCode, body]).toEqual([200, expect.stringContaining('maru_calls_waiting')])
    expect(body).not.toMatch(/^maru_(files|database_known|sweep)_\w+/m)
    await app.close()
    await hangs.end()
  })

  test('/metrics is closed to callers through a proxy on this machine', async () => {
    for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }]) {
      const response = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers })
      expect(response.statusCode).toBe(404)
    }
  })
})

describe('metrics in production without METRICS_TOKEN', () => {
  const open = useMaru({ NODE_ENV: 'production' })
  test('are closed to everybody, because callers through a proxy look local', async () => {
    expect((await open.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).statusCode).toBe(404)
  })
})

describe('metrics with METRICS_TOKEN and TRUST_PROXY (rules/running#metrics)', () => {
  const guarded = useMaru({ METRICS_TOKEN: 'a-token-for-tests', TRUST_PROXY: '1' })

  const get = (headers: Record<string, string>, remoteAddress = '203.0.113.5') =>
    guarded.app.inject({ url: '/metrics', remoteAddress, headers })

  test('are open to the bearer token only', async () => {
    expect((await get({ authorization: 'Bearer a-token-for-tests' })).statusCode).toBe(200)
    expect((await get({ authorization: 'Bearer a-token-for-testz' })).statusCode).toBe(404)
    expect((await get({}, '127.0.0.1')).statusCode).toBe(404)
  })

  test('cope with any X-Forwarded-For, however long', async () => {
    const response = await guarded.app.inject({
      method: 'POST',
      url: API_BASE + checkId.path,
      headers: { ...JSON_TYPE, 'x-forwarded-for': 'x'.repeat(5_000) },
      payload: '{}',
    })
    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('INPUT_INVALID')
  })
})

/** Creates the production app on a pool that may be unable to connect. */
function appOn(pool: pg.Pool): Promise<FastifyInstance> {
  return createApp({
    database: {
      pool,
      db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [camelCaseNames] }),
      longReads: openLongReads(pool.options, () => {}),
    },
    services: { ...maru.services, limits: createAddressLimits(pool) },
    logger: pino({ level: 'silent' }),
  })
}

function callOn(app: FastifyInstance, path: string) {
  return app.inject({
    method: 'POST',
    url: API_BASE + path,
    headers: { ...JSON_TYPE, SessionId: 'x'.repeat(43) },
    payload: '{}',
  })
}

/** Connects to a name that stands for two addresses, as `localhost` does on many machines. */
class SocketToTwo extends Socket {
  override connect(port: unknown, host?: unknown): this {
    return super.connect({
      port: Number(port),
      host: String(host),
      autoSelectFamily: true,
      lookup: (_name, _options, done) =>
        done(null, [
          { address: '127.0.0.1', family: 4 },
          { address: '127.0.0.2', family: 4 },
        ]),
    })
  }
}

async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
