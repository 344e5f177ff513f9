import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createOwnDatabase } from '../test-kit/own-database.ts'

test('a connection that breaks while a call works on it fails that call and ends nothing else', async () => {
  const own = await createOwnDatabase()
  const { db, pool } = own.database
  const work = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    // The break comes while nothing is asked of the connection: nobody's query can tell of it.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sql`select 1`.execute(tx)
  })
  await expect(work).rejects.toThrow()
  const asking = expect(sql`select pg_sleep(30) /* cut */`.execute(db)).rejects.toThrow()
  await expect
    .poll(async () => {
      const { rowCount } = await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where query like '%/* cut */' and pid <> pg_backend_pid() and datname = current_database()`)
      return rowCount
    })
    .toBe(1)
  await asking
  // The pool may hand a connection out once more whose end has not reached it yet.
  const isAnswered = () => pool.query('select 1').then(() => true, String)
  await expect.poll(isAnswered).toBe(true)
  await own.drop()
})
