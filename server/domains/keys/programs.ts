import { sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import {
  type createProgram as createEndpoint,
  type listPrograms as listEndpoint,
  PROGRAMS_MAX,
  type revokeProgram as revokeEndpoint,
  type rollProgram as rollEndpoint,
} from '../../../contract/keys.ts'
import { mayLogIn, orEmpty, timeText, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { hashToken, newToken } from '../../http/tokens.ts'
import { endAfter, previousText, previousUntil, stateOf } from './tokens.ts'

/** Days for which an expired or revoked token stays in the list. */
const SHOWN_DAYS = 90

/** Lists the caller's programs (rules/keys#program-tokens). */
export const listPrograms: Handler<typeof listEndpoint> = async ({ db, actor }) => {
  const partner = await db
    .selectFrom('partners')
    .select('code')
    .where('id', '=', actor.partnerId)
    .executeTakeFirst()
  const programs = await db
    .selectFrom('program_tokens')
    .select((eb) => [
      'id as programId',
      'name as programName',
      stateOf({
        column: 'ended_at',
        state: sql<'expired' | 'revoked' | 'account'>`end_reason`,
      }).as('state'),
      wireTime(eb.ref('created_at')).as('createdAt'),
      wireTime(eb.ref('expires_at')).as('expiresAt'),
      previousText('ended_at').as('previousUntil'),
      timeText('last_used_at').as('lastUsedAt'),
      orEmpty('last_address').as('address'),
      timeText('ended_at').as('endedAt'),
    ])
    .where('user_id', '=', actor.id)
    .where(sql<boolean>`least(ended_at, expires_at) > now() - make_interval(days => ${SHOWN_DAYS})`)
    .orderBy(sql`least(ended_at, expires_at) <= now()`)
    .orderBy('id', 'desc')
    .execute()
  return { partnerCode: partner?.code ?? '', programs }
}

/** Creates a token. Only this response ever contains it. */
export const createProgram: Handler<typeof createEndpoint> = async (call, { programName, validDays }) => {
  const { actor, db } = call
  if (actor.partnerId === null) refuse('NO_PARTNER')
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, actor)
    await endExpired(tx, actor.id)
    const live = await tx
      .selectFrom('program_tokens')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('user_id', '=', actor.id)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(live.n) >= PROGRAMS_MAX) refuse('PROGRAMS_FULL')
    const token = newToken('program')
    const row = await tx
      .insertInto('program_tokens')
      .values({
        user_id: actor.id,
        name: programName,
        token_hash: hashToken(token),
        expires_at: endAfter(validDays),
      })
      .onConflict((conflict) =>
        conflict
          .expression(sql`user_id, lower(name)`)
          .where('ended_at', 'is', null)
          .doNothing(),
      )
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NAME_TAKEN')
    await call.audit(tx, { target: row.id, detail: { name: programName, validDays } })
    return { programId: row.id, programToken: token }
  })
}

/** Replaces a token by a new one (rules/keys#token-rollover). Expired and revoked tokens cannot be replaced. */
export const rollProgram: Handler<typeof rollEndpoint> = async (call, input) => {
  const { actor, db } = call
  const { programId, validDays, overlapDays } = input
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, actor)
    const token = newToken('program')
    const row = await tx
      .updateTable('program_tokens')
      .set({
        token_hash: hashToken(token),
        previous_hash: overlapDays === 0 ? null : sql<Buffer>`token_hash`,
        previous_until: previousUntil(overlapDays),
        expires_at: endAfter(validDays),
        told_at: sql`now()`,
      })
      .where('id', '=', programId)
      .where('user_id', '=', actor.id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NOT_FOUND')
    await call.audit(tx, { target: programId, detail: { name: row.name, validDays, overlapDays } })
    return { programToken: token }
  })
}

/** Revokes a token. The next call with it fails. */
export const revokeProgram: Handler<typeof revokeEndpoint> = async (call, { programId }) => {
  const { actor, db } = call
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('program_tokens')
      .set({ ended_at: sql`now()`, end_reason: 'revoked' })
      .where('id', '=', programId)
      .where('user_id', '=', actor.id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NOT_FOUND')
    await call.audit(tx, { target: programId, detail: { name: row.name } })
  })
  return {}
}

/**
 * Locks the owner of a token, so that concurrent calls cannot exceed the maximum. A concurrent end of the account waits and then ends this
 * token, too.
 * @throws {Refusal} SESSION_REQUIRED if the account may no longer log in
 */
async function lockOwner(tx: Transaction<Database>, { id }: SignedIn): Promise<void> {
  const owner = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where(mayLogIn())
    .where('password_temporary', '=', false)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (owner === undefined) refuse('SESSION_REQUIRED')
}

/** Ends the expired tokens of a user, so that their names are available again. */
async function endExpired(tx: Transaction<Database>, userId: string): Promise<void> {
  await tx
    .updateTable('program_tokens')
    .set({ ended_at: sql`expires_at`, end_reason: 'expired' })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
}
