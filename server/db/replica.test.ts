import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { onDatabase } from '../test-kit/database.ts'
import { createOwnDatabase } from '../test-kit/own-database.ts'
import { openReplica } from './replica.ts'

/* What is taken for a replica (rules/running#read-replica); a real one stands in failover.cluster.test.ts. */

test('another database is refused at the start, and one that follows nobody is never read', async () => {
  const [own, other] = [await createOwnDatabase(), await createOwnDatabase()]
  const name = async ({ database: { pool } }: typeof own) =>
    (await pool.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
  await other.database.pool.query('update installation set id = gen_random_uuid()')
  const open = async (of: typeof own) =>
    openReplica(onDatabase(inject('server'), await name(of)), own.database.pool, pino({ level: 'silent' }))

  const wrong = await open(other)
  await expect(wrong.check()).rejects.toThrow(/^DATABASE_READ_URL: that is no replica [^\n]+$/)
  const itself = await open(own)
  expect(await itself.check()).toBe('')
  expect(await itself.caughtUp()).toBeUndefined()
  await Promise.all([wrong.close(), itself.close()])
  await Promise.all([own.drop(), other.drop()])
})
