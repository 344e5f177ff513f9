import pg from 'pg'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { openDatabase } from './db/open.ts'
import { useMaru } from '../dev/test-kit/maru.ts'

const maru = useMaru()

function newLog() {
  const lines: string[] = []
  return { lines, logger: createLog('trace', { write: (line) => lines.push(line) }) }
}

test('a broken database connection is logged without its client (rules/running#log)', async () => {
  const { lines, logger } = newLog()
  let client: unknown
  const broken = Promise.withResolvers<void>()
  const { connectionString, host, port, user, password, database } = maru.database.pool.options
  const where =
    connectionString === undefined ? { host, port, user, password, database } : { connectionString }
  const own = await openDatabase({ ...(where as pg.PoolConfig), max: 1 }, (error) => {
    client = (error as Error & { client?: unknown }).client
    logger.warn({ err: error }, 'a database connection broke')
    broken.resolve()
  })
  const { rows } = await own.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  await maru.database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await broken.promise
  await own.close()

  // That there was something to keep: pg hands the client over, and its key.
  expect(client).toHaveProperty('secretKey')
  const [line = ''] = lines
  expect(JSON.parse(line)).toMatchObject({
    msg: 'a database connection broke',
    err: { type: 'DatabaseError', code: '57P01', message: expect.stringContaining('terminating connection') },
  })
  expect(line).not.toMatch(/secretKey|"client"|password|processID/)
})

test('an error from a constraint is logged without the values of the row, one with many causes with each of them', async () => {
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
