import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from './log.ts'
import { createAccessLog } from './services/access-log.ts'
import { openDatabase } from './db/open.ts'
import { useMaru } from '../dev/test-kit/maru.ts'

const maru = useMaru()

function newLog() {
  const lines: string[] = []
  return { lines, logger: createLog('trace', { write: (line) => lines.push(line) }) }
}

function whereIsDatabase(): pg.PoolConfig {
  const { connectionString, host, port, user, password, database } = maru.database.pool.options
  const where =
    connectionString === undefined ? { host, port, user, password, database } : { connectionString }
  return where
}

test('logs a broken database connection without its client (rules/running#log)', async () => {
  const { lines, logger } = newLog()
  let client: unknown
  const broken = Promise.withResolvers<void>()
  const own = await openDatabase({ ...whereIsDatabase(), max: 1 }, (error) => {
    client = (error as Error & { client?: unknown }).client
    logger.warn({ err: error }, 'a database connection was lost')
    broken.resolve()
  })
  const { rows } = await own.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  await maru.database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await broken.promise
  await own.close()

  // Proves that there is a key to redact: pg passes the client with its key.
  expect(client).toHaveProperty('secretKey')
  const [line = ''] = lines
  expect(JSON.parse(line)).toMatchObject({
    msg: 'a database connection was lost',
    err: { type: 'DatabaseError', code: '57P01', message: expect.stringContaining('terminating connection') },
  })
  expect(line).not.toMatch(/secretKey|"client"|password|processID/)
})

test('logs a constraint error without row values, and each of several causes', async () => {
  const { lines, logger } = newLog()
  const person = await maru.createUser({ email: 'somebody@secret.example' })
  await maru.createUser({ email: 'somebody@secret.example' }).then(
    () => expect.unreachable(),
    (error: unknown) => {
      expect(error).toHaveProperty('detail', expect.stringContaining('somebody@secret.example'))
      logger.error({ err: new AggregateError([error], 'all of it failed') }, 'refused')
    },
  )
  expect(person.id).not.toBe('')
  expect(lines[0]).toContain('23505')
  expect(lines[0]).toContain('all of it failed')
  expect(lines[0]).not.toContain('somebody@secret.example')
})

test('logs an outage of the database in two lines, with its cause and its end (rules/running#log)', async () => {
  const lines: { msg: string; [field: string]: unknown }[] = []
  const to = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const logger = createLog('info', to, 50)
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  logger.child({ reqId: 'a' }).error({ err: away }, 'the access log cannot be signed')
  for (const job of ['mail', 'sweep']) logger.error({ err: away, job }, 'a job failed and will be retried')
  logger.error({ err: new Error('a defect') }, 'unexpected error')
  await expect.poll(() => lines).toHaveLength(3)
  expect(lines).toMatchObject([
    {
      msg: 'the database is unavailable',
      failed: 'the access log cannot be signed',
      reqId: 'a',
      err: { code: 'ECONNREFUSED' },
    },
    { msg: 'unexpected error' },
    { msg: 'the database is available again', leftOut: 2 },
  ])
  logger.error({ err: away }, 'the database is unavailable')
  expect(lines).toHaveLength(4)
})

test('does not report the access log in an outage of the database, which has its own lines (rules/running#log)', async () => {
  const lines: { msg: string; [field: string]: unknown }[] = []
  const logger = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }, 50)
  const where = whereIsDatabase()
  const pool = new pg.Pool({ ...where, host: '/nowhere' })
  onTestFinished(() => pool.end())
  const log = createAccessLog({
    pool,
    dataDir: maru.dataDir,
    seeds: [maru.services.keySecret.logSeed],
    logger,
  })
  for (let second = 0; second < 2; second++) await expect(log.keepHeads()).rejects.toThrow()
  pool.options.host = where.host
  await log.keepHeads()
  await expect.poll(() => lines).toHaveLength(2)
  expect(lines).toMatchObject([
    { msg: 'the database is unavailable', failed: 'the access log cannot be signed' },
    { msg: 'the database is available again', leftOut: 1 },
  ])
})
