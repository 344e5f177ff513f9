import type pg from 'pg'
import { openDatabase } from '../../server/db/open.ts'
import { startSession } from '../../server/http/sessions.ts'

/** Sessions of as many people of the demo, who may do everything then. */
export async function signIn(connection: pg.PoolConfig, count: number): Promise<string[]> {
  const database = await openDatabase({ ...connection, max: 1 }, () => {})
  const { rows } = await database.pool.query<{ id: string }>(
    `update users set role_code = 'AUT001' where id in (
       select u.id from users u where login_refusal(u) is null order by id limit $1) returning id`,
    [count],
  )
  const tokens = []
  for (const { id: userId } of rows) {
    const session = { userId, address: '127.0.0.1', userAgent: 'bench' }
    tokens.push(await database.db.transaction().execute((tx) => startSession(tx, session)))
  }
  await database.close()
  return tokens
}
