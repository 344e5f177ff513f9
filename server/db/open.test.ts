import { sql } from 'kysely'
import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { onDatabase } from '../../dev/test-kit/database.ts'
import { createOwnDatabase } from '../../dev/test-kit/own-database.ts'
import { NO_TIME_LIMIT, openDatabase } from './open.ts'

test('disables JIT compilation on every connection', async () => {
  const own = await createOwnDatabase()
  const { db, pool, longReads } = own.database
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  const where = onDatabase(inject('server'), rows[0]?.name ?? '')
  const alone = await openDatabase({ ...where, ...NO_TIME_LIMIT }, () => {})
  const snapshot = await longReads.begin()
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  try {
    const answers = await Promise.all([
      ...clients.map((client) => client.query('show jit')),
      sql`show jit`.execute(db),
      sql`show jit`.execute(alone.db),
      sql`show jit`.execute(snapshot.tx),
    ])
    expect(answers.flatMap((answer) => answer.rows)).toEqual(answers.map(() => ({ jit: 'off' })))
  } finally {
    for (const client of clients) client.release()
    await snapshot.end()
    await alone.close()
    await own.drop()
  }
})

test('fails only the call during which its connection breaks', async () => {
  const own = await createOwnDatabase()
  const { db, pool } = own.database
  const acquired = new Promise<pg.PoolClient>((resolve) => pool.once('acquire', resolve))
  const work = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    const client = await acquired
    const broken = new Promise((resolve) => client.once('end', resolve))
    await pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    // The connection breaks while it is idle, so no query fails because of it.
    await broken
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
