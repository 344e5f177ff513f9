import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { onDatabase } from '../test-kit/database.ts'
import { createOwnDatabase } from '../test-kit/own-database.ts'
import { CALL_LIMITS } from './pool.ts'
import { openReplica } from './replica.ts'

/* What is taken for a replica (rules/running#read-replica); a real one stands in failover.cluster.test.ts. */

test('another database is refused at the start, and one that follows nobody is never read', async () => {
  const [own, other] = [await createOwnDatabase(), await createOwnDatabase()]
  const name = async ({ database: { pool } }: typeof own) =>
    (await pool.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
  await other.database.pool.query('update installation set id = gen_random_uuid()')
  const open = async (of: typeof own) =>
    openReplica(onDatabase(inject('server'), await name(of)), own.database, pino({ level: 'silent' }))

  const wrong = await open(other)
  await expect(wrong.check()).rejects.toThrow(/^DATABASE_READ_URL: that is no replica [^\n]+$/)
  const itself = await open(own)
  expect(await itself.check()).toBe('')
  expect(await itself.caughtUp()).toBeUndefined()
  await Promise.all([wrong.close(), itself.close()])
  await Promise.all([own.drop(), other.drop()])
})

test('one that vanishes without a word is given up at once, on a connection that stands too', async () => {
  const own = await createOwnDatabase()
  const server = inject('server')
  let hasVanished = false
  const proxy = createServer((socket) => {
    const database = server.host?.startsWith('/')
      ? connect(`${server.host}/.s.PGSQL.${server.port}`)
      : connect(Number(server.port), server.host)
    database.on('data', (bytes) => hasVanished || socket.write(bytes))
    socket.on('data', (bytes) => hasVanished || database.write(bytes))
    socket.on('error', () => {}).on('close', () => database.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { database } = onDatabase(server, own.database.pool.options.database ?? '')
  const { port } = proxy.address() as AddressInfo
  const place = { ...server, database, host: '127.0.0.1', port }
  const replica = openReplica(place, own.database, pino({ level: 'silent' }))
  expect(await replica.check()).toBe('')
  hasVanished = true
  const asked = performance.now()
  expect(await replica.caughtUp()).toBeUndefined()
  // Not by the limit of a call.
  expect(performance.now() - asked).toBeLessThan(CALL_LIMITS.query_timeout / 2)
  await replica.close()
  proxy.close()
  await own.drop()
})
