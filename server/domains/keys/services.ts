import { sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type {
  createService as createEndpoint,
  listServices as listEndpoint,
  revokeService as revokeEndpoint,
  rollService as rollEndpoint,
} from '../../../contract/keys.ts'
import { timeText, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { hashToken, newToken } from '../../http/tokens.ts'
import { endAfter, previousText, previousUntil, stateOf } from './tokens.ts'

/** Condition that a token is neither revoked nor expired. */
const IN_FORCE = sql<boolean>`revoked_at is null and coalesce(expires_at > now(), true)`

/** Lists the services with the times at which their tokens were created and used, expire and were revoked, newest first. */
export const listServices: Handler<typeof listEndpoint> = async ({ db }) => ({
  services: await db
    .selectFrom('service_tokens as s')
    .innerJoin('users as u', 'u.id', 's.created_by')
    .select((eb) => [
      's.id as serviceId',
      's.name as serviceName',
      wireTime(eb.ref('s.created_at')).as('createdAt'),
      stateOf({
        column: 's.revoked_at',
        state: sql<'expired' | 'revoked'>`case when s.revoked_by is null then 'expired' else 'revoked' end`,
      }).as('state'),
      'u.login_id as createdBy',
      timeText('s.expires_at').as('expiresAt'),
      previousText('s.revoked_at').as('previousUntil'),
      timeText('s.last_used_at').as('lastUsedAt'),
      sql<string>`case when s.revoked_by is null then '' else ${timeText('s.revoked_at')} end`.as(
        'revokedAt',
      ),
    ])
    .orderBy('s.id', 'desc')
    .execute(),
})

/** Creates a token. Only this response ever contains it. */
export const createService: Handler<typeof createEndpoint> = (call, { serviceName, validDays }) =>
  call.db.transaction().execute(async (tx) => {
    await endExpired(tx, serviceName)
    const token = newToken('service')
    const row = await tx
      .insertInto('service_tokens')
      .values({
        name: serviceName,
        token_hash: hashToken(token),
        expires_at: endAfter(validDays),
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
    await call.audit(tx, { target: row.id, detail: { name: serviceName, validDays } })
    return { serviceId: row.id, serviceToken: token }
  })

/** Replaces a token by a new one (rules/keys#token-rollover). Expired and revoked tokens cannot be replaced. */
export const rollService: Handler<typeof rollEndpoint> = (call, { serviceId, validDays, overlapDays }) =>
  call.db.transaction().execute(async (tx) => {
    const token = newToken('service')
    const row = await tx
      .updateTable('service_tokens')
      .set({
        token_hash: hashToken(token),
        previous_hash: overlapDays === 0 ? null : sql<Buffer>`token_hash`,
        previous_until: previousUntil(overlapDays),
        expires_at: endAfter(validDays),
        told_at: sql`now()`,
      })
      .where('id', '=', serviceId)
      .where(IN_FORCE)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('SERVICE_NOT_FOUND')
    await call.audit(tx, { target: serviceId, detail: { name: row.name, validDays, overlapDays } })
    return { serviceToken: token }
  })

/** Revokes a token. The next call with it fails. */
export const revokeService: Handler<typeof revokeEndpoint> = async (call, { serviceId }) => {
  await call.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('service_tokens')
      .set({ revoked_at: sql`now()`, revoked_by: call.actor.id })
      .where('id', '=', serviceId)
      .where(IN_FORCE)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('SERVICE_NOT_FOUND')
    await call.audit(tx, { target: serviceId, detail: { name: row.name } })
  })
  return {}
}

/** Ends the expired token of a name, so that the name is available again. The row has the expiry as the time of revocation. */
async function endExpired(tx: Transaction<Database>, name: string): Promise<void> {
  await tx
    .updateTable('service_tokens')
    .set({ revoked_at: sql`expires_at` })
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
}
