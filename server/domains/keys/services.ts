import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type {
  createService as createEndpoint,
  listServices as listEndpoint,
  revokeService as revokeEndpoint,
} from '../../../contract/keys.ts'
import { timeText, wireTime } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { hashToken, newToken } from '../../http/tokens.ts'

/** The services and when their tokens were made, used and revoked, newest first. */
export const listServices: Handler<typeof listEndpoint> = async ({ db }) => ({
  services: await db
    .selectFrom('service_tokens as s')
    .innerJoin('users as u', 'u.id', 's.created_by')
    .select((eb) => [
      's.id as serviceId',
      's.name as serviceName',
      wireTime(eb.ref('s.created_at')).as('createdAt'),
      'u.login_id as createdBy',
      timeText('s.last_used_at').as('lastUsedAt'),
      timeText('s.revoked_at').as('revokedAt'),
    ])
    .orderBy('s.id', 'desc')
    .execute(),
})

/** Makes a token; the only answer that ever holds it. */
export const createService: Handler<typeof createEndpoint> = (call, { serviceName }) =>
  call.db.transaction().execute(async (tx) => {
    const token = newToken('service')
    const row = await tx
      .insertInto('service_tokens')
      .values({
        name: serviceName,
        token_hash: hashToken(token),
        created_by: call.actor.id,
        revoked_by: null,
      })
      .onConflict((conflict) =>
        conflict
          .expression(sql`lower(name)`)
          .where('revoked_at', 'is', null)
          .doNothing(),
      )
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return refuse('SERVICE_NAME_TAKEN')
    await call.audit(tx, { target: row.id, detail: { name: serviceName } })
    return { serviceId: row.id, serviceToken: token }
  })

/** Ends a token with the next call that carries it. */
export const revokeService: Handler<typeof revokeEndpoint> = async (call, { serviceId }) => {
  await call.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('service_tokens')
      .set({ revoked_at: sql`now()`, revoked_by: call.actor.id })
      .where('id', '=', serviceId)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('SERVICE_NOT_FOUND')
    await call.audit(tx, { target: serviceId, detail: { name: row.name } })
  })
  return {}
}
