import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type {
  createService as createEndpoint,
  listServices as listEndpoint,
  revokeService as revokeEndpoint,
  rollService as rollEndpoint,
} from '../../../contract/keys.ts'
import { timeText, wireTime } from '../../db/sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { hashToken, newToken } from '../../callers/bearer-tokens.ts'
import { endAfter, previousText, rotationOf, stateOf } from './tokens.ts'

/**
 * Returns all services, newest first, with the state of their tokens and the times at which these were created, used
 * and revoked, and expire.
 */
export const listServices: Handler<typeof listEndpoint> = async ({ db }) => ({
  services: await db
    .selectFrom('serviceTokens as s')
    .innerJoin('users as u', 'u.id', 's.createdBy')
    .select((eb) => [
      's.id as serviceId',
      's.name as serviceName',
      wireTime(eb.ref('s.createdAt')).as('createdAt'),
      stateOf({
        column: 's.revokedAt',
        state: sql<'expired' | 'revoked'>`case when s.revoked_by is null then 'expired' else 'revoked' end`,
      }).as('state'),
      'u.loginId as createdBy',
      timeText('s.expiresAt').as('expiresAt'),
      previousText('s.revokedAt').as('previousUntil'),
      timeText('s.lastUsedAt').as('lastUsedAt'),
      sql<string>`case when s.revoked_by is null then '' else ${timeText('s.revokedAt')} end`.as('revokedAt'),
    ])
    .orderBy('s.id', 'desc')
    .execute(),
})

/**
 * Creates a service with its token, with an audit row. Only this response ever contains the token.
 * @throws {Refusal} SERVICE_NAME_TAKEN if a service with a valid token has the name
 */
export const createService: Handler<typeof createEndpoint> = (call, { serviceName, validDays }) =>
  call.db.transaction().execute(async (tx) => {
    await endExpired(tx, serviceName)
    const token = newToken('service')
    const row = await tx
      .insertInto('serviceTokens')
      .values({
        name: serviceName,
        tokenHash: hashToken(token),
        expiresAt: endAfter(validDays),
        createdBy: call.actor.id,
        revokedBy: null,
      })
      .onConflict((conflict) =>
        conflict
          .expression(sql`lower(name)`)
          .where('revokedAt', 'is', null)
          .doNothing(),
      )
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return refuse('SERVICE_NAME_TAKEN')
    await call.audit(tx, { target: row.id, detail: { name: serviceName, validDays }, records: null })
    return { serviceId: row.id, serviceToken: token }
  })

/**
 * Returns the update query of the valid token of a service, to which the caller adds the columns; it changes nothing if
 * the token has expired or was revoked.
 */
const liveService = (tx: Tx, serviceId: string) =>
  tx
    .updateTable('serviceTokens')
    .where('id', '=', serviceId)
    .where(sql<boolean>`revoked_at is null and coalesce(expires_at > now(), true)`)

/**
 * Replaces the token of a service by a new one with a new expiry, with an audit row; the old one stays valid for the
 * overlap (rules/keys#token-rollover). Only this response ever contains the new one.
 * @throws {Refusal} SERVICE_NOT_FOUND, also if its token has expired or was revoked
 */
export const rollService: Handler<typeof rollEndpoint> = (call, { serviceId, ...days }) =>
  call.db.transaction().execute(async (tx) => {
    const token = newToken('service')
    const row = await liveService(tx, serviceId)
      .set(rotationOf(token, days))
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('SERVICE_NOT_FOUND')
    await call.audit(tx, { target: serviceId, detail: { name: row.name, ...days }, records: null })
    return { serviceToken: token }
  })

/**
 * Revokes the token of a service, with an audit row. The next call with it fails.
 * @throws {Refusal} SERVICE_NOT_FOUND, also if its token has expired or was revoked
 */
export const revokeService: Handler<typeof revokeEndpoint> = (call, { serviceId }) =>
  call.db.transaction().execute(async (tx) => {
    const row = await liveService(tx, serviceId)
      .set({ revokedAt: sql`now()`, revokedBy: call.actor.id })
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('SERVICE_NOT_FOUND')
    await call.audit(tx, { target: serviceId, detail: { name: row.name }, records: null })
  })

/** Marks the expired token of a name as revoked at its expiry, so that the name is available again. */
async function endExpired(tx: Tx, name: string): Promise<void> {
  await tx
    .updateTable('serviceTokens')
    .set({ revokedAt: sql`expires_at` })
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute()
}
