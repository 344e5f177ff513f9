import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { endProgram as endEndpoint, listAllPrograms as listEndpoint } from '../../../contract/keys.ts'
import { contains, COUNTED_PEOPLE, pageOf } from '../../db/list.ts'
import { timeText, wireTime } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { notify } from '../../services/notifications.ts'
import { stateOf } from './tokens.ts'

/** Lists the valid program tokens of all users (rules/keys#programs-of-others). */
export const listAllPrograms: Handler<typeof listEndpoint> = async (call, { keyword, ...page }) => {
  const { db } = call
  const columns = ['u.name', 'u.login_id', 't.name', 'p.code']
  const found = db
    .selectFrom('program_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('partners as p', 'p.id', 'u.partner_id')
    .where('t.ended_at', 'is', null)
    .where('t.expires_at', '>', sql<Date>`now()`)
    .$if(keyword !== '', (query) =>
      query.where((eb) => eb.or(columns.map((column) => contains(sql.ref(column), keyword)))),
    )
  const list = found
    .select((eb) => [
      't.id as programId',
      't.name as programName',
      'u.login_id as userId',
      'u.name',
      sql<string>`coalesce(p.code, '')`.as('partnerCode'),
      stateOf({ column: 't.ended_at', state: sql<'revoked'>`'revoked'` }).as('state'),
      wireTime(eb.ref('t.created_at')).as('createdAt'),
      wireTime(eb.ref('t.expires_at')).as('expiresAt'),
      timeText('t.last_used_at').as('lastUsedAt'),
    ])
    .orderBy('t.id', 'desc')
  const { totalCount, rows } = await pageOf(db, list, page)
  if (keyword !== '' && rows.length < totalCount && totalCount <= COUNTED_PEOPLE)
    call.touches((await found.select('u.id').limit(COUNTED_PEOPLE).execute()).map(({ id }) => id))
  return { totalCount, programs: rows }
}

/** Revokes a token of any user and notifies its owner. The next call with the token fails (rules/keys#programs-of-others). */
export const endProgram: Handler<typeof endEndpoint> = async (call, { programId, reason }) => {
  const { actor, db } = call
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('program_tokens as t')
      .from('users as u')
      .set({ ended_at: sql`now()`, end_reason: 'revoked' })
      .whereRef('u.id', '=', 't.user_id')
      .where('t.id', '=', programId)
      .where('t.ended_at', 'is', null)
      .where('t.expires_at', '>', sql<Date>`now()`)
      .returning(['t.name', 't.user_id', 'u.login_id'])
      .executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NOT_FOUND')
    call.touches([row.user_id])
    // The owner is not notified of their own action.
    if (row.user_id !== actor.id) {
      const detail = { programName: row.name, reason }
      await notify(tx, { kind: 'PROGRAM_ENDED', userId: row.user_id, detail })
    }
    await call.audit(tx, { target: programId, detail: { name: row.name, userId: row.login_id, reason } })
  })
  return {}
}
