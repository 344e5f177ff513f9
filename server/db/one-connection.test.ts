import { expect, test } from 'vitest'
import { createOwnDatabase } from '../../dev/test-kit/own-database.ts'
import { withConnection } from './one-connection.ts'

test('fails only the next query of a broken connection and replaces the connection', async () => {
  const own = await createOwnDatabase()
  const { pool } = own.database
  const work = withConnection(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ended = new Promise((resolve) => client.once('end', resolve))
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await ended
    await client.query('select 1')
  })
  await expect(work).rejects.toThrow()
  expect(await withConnection(pool, (client) => client.query('select 1 as one'))).toMatchObject({
    rows: [{ one: 1 }],
  })
  await own.drop()
})
