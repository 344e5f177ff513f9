import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import { type Actor, POWERS } from '../../../../contract/permissions.ts'
import {
  type askFactorReset as askEndpoint,
  type confirmFactorReset as confirmEndpoint,
  FACTOR_RESET_DAYS,
  type getFactorReset as getEndpoint,
  type refuseFactorReset as refuseEndpoint,
  type withdrawFactorReset as withdrawEndpoint,
} from '../../../../contract/users.ts'
import { mayLogIn, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../http/sessions.ts'
import {
  endAccess,
  hasSettledFactor,
  isPasswordOwn,
  removeFactors,
  tellOfFactor,
} from '../../account/index.ts'
import {
  administrable,
  administrableAccountOf,
  isInvolved,
  mayJoin,
  refuseAccount,
  requireAsker,
  requireFourEyes,
} from '../../roles/index.ts'
import { lockUser } from '../queries.ts'

const days = sql.lit(FACTOR_RESET_DAYS)

/** Condition that the request `f` is open and has not expired. */
const waits = sql<boolean>`f.state = 'waiting' and f.asked_at > now() - make_interval(days => ${days})`

/**
 * Returns the condition that a user of the query may log in and administer an account of this role: `administrable` for a user other than
 * the caller.
 */
function mayAdminister(by: 'a' | 'o', role: RawBuilder<unknown>): RawBuilder<boolean> {
  const own = sql.ref(`${by}.role_code`)
  return sql<boolean>`(${mayLogIn(by)}
    and exists (select from role_functions h where h.role_code = ${own} and h.function_name = 'autho_user_manage')
    and not exists (select from role_functions t where t.role_code = ${role} and t.function_name = any(${[...POWERS]}::text[])
      and not exists (select from role_functions h where h.role_code = ${own} and h.function_name = t.function_name)))`
}

/** Returns the condition that no other user may confirm a request of the actor about the user `u`, who does not decide about themselves. */
const isAlone = (actor: SignedIn) => sql<boolean>`not exists (
  select from users o where o.id <> ${actor.id} and o.id <> u.id and ${mayAdminister('o', sql.ref('u.role_code'))}
    and ${mayJoin(sql`${actor.id}`, sql.ref('o.id'), sql.ref('u.id'))})`

const hasFactor = sql<boolean>`has_second_factor(u.id)`

/**
 * Returns the query for the requests that the reader may decide, as rows of `f` and of the user `u` whom they are about. It excludes the
 * reader's own requests, accounts out of reach, and requests that have nothing left to reset.
 */
export const decidableResets = (db: Kysely<Database>, reader: Actor & { id: string }) =>
  db
    .selectFrom('factor_resets as f')
    .innerJoin('users as u', 'u.id', 'f.user_id')
    .where(waits)
    .where('u.withdrawn_at', 'is', null)
    .where('u.id', '<>', reader.id)
    .where('f.asked_by', '<>', reader.id)
    .where((eb) => administrable(reader, eb.ref('u.role_code')))
    .where(hasFactor)

/** Returns whether a user has second factors, and the open request (rules/users#factor-reset). */
export const getFactorReset: Handler<typeof getEndpoint> = async (call, { userId }) => {
  const { db, actor } = call
  const user = await administrableAccountOf(db, actor, userId)
    .select([
      'u.id',
      hasFactor.as('hasFactor'),
      isAlone(actor).as('alone'),
      hasSettledFactor(sql`${actor.id}`).as('ownFactor'),
      isInvolved(sql`${actor.id}`, sql.ref('u.id')).as('involved'),
      sql<boolean>`not ${isPasswordOwn('u')}`.as('passwordEnds'),
    ])
    .executeTakeFirst()
  if (user === undefined) return refuseAccount(db, userId)
  const reset = await db
    .selectFrom('factor_resets as f')
    .innerJoin('users as a', 'a.id', 'f.asked_by')
    .select([
      'f.id as resetId',
      wireTime(sql<Date>`f.asked_at`).as('askedAt'),
      wireTime(sql<Date>`(f.asked_at + make_interval(days => ${days}))`).as('expiresAt'),
      'f.reason',
      'a.id as asker',
      'a.login_id as askerId',
      'a.name as askerName',
      sql<boolean>`a.id = ${actor.id}`.as('ownRequest'),
      mayJoin(sql`${actor.id}`, sql.ref('a.id'), sql`${user.id}`).as('mayConfirm'),
    ])
    .where('f.user_id', '=', user.id)
    .where(waits)
    .executeTakeFirst()
  const { id: about, ...state } = user
  call.touches([about, ...(reset === undefined ? [] : [reset.asker])])
  return { ...state, ...(reset !== undefined && { reset }) }
}

/** Requests a reset. A concurrent call waits for the lock on the account and then finds this request. */
export const askFactorReset: Handler<typeof askEndpoint> = async (call, { userId, reason }) => {
  const { db, actor, services } = call
  const resetId = await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, userId, false)
    const found = await tx
      .selectFrom('users as u')
      .select([
        hasFactor.as('hasFactor'),
        isAlone(actor).as('alone'),
        isInvolved(sql`${actor.id}`, sql.ref('u.id')).as('involved'),
        sql<boolean>`exists (select from factor_resets f where f.user_id = u.id and ${waits})`.as('waits'),
      ])
      .where('u.id', '=', user.id)
      .executeTakeFirstOrThrow()
    if (!found.hasFactor) refuse('FACTOR_NOT_FOUND')
    if (found.waits) refuse('RESET_WAITS')
    requireAsker(call, found.involved)
    if (found.alone) refuse('RESET_NEEDS_TWO')
    const { id } = await tx
      .insertInto('factor_resets')
      .values({ user_id: user.id, asked_by: actor.id, reason })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tellOfFactor(tx, call, user, 'resetAsked')
    await call.audit(tx, { target: userId, detail: { reason } })
    return id
  })
  services.mail.wake()
  return { resetId }
}

/**
 * Locks the open request, after its user. Of two concurrent decisions, the second finds no request.
 * @throws {Refusal} RESET_NOT_FOUND, and as `lockUser`
 */
async function lockReset(
  tx: Transaction<Database>,
  actor: SignedIn,
  { userId, resetId }: { userId: string; resetId: string },
) {
  const user = await lockUser(tx, actor, userId, false)
  const reset = await tx
    .selectFrom('factor_resets as f')
    .innerJoin('users as a', 'a.id', 'f.asked_by')
    .select([
      'a.id as asker',
      'a.login_id as askerId',
      mayAdminister('a', sql`${user.role_code}`).as('askerMay'),
    ])
    .where('f.id', '=', resetId)
    .where('f.user_id', '=', user.id)
    .where(waits)
    .forUpdate('f')
    .executeTakeFirst()
  if (reset === undefined) return refuse('RESET_NOT_FOUND')
  return { user, ...reset, isOwn: reset.asker === actor.id }
}

async function decide(
  tx: Transaction<Database>,
  actor: SignedIn,
  resetId: string,
  decision: { state: 'confirmed' | 'refused' | 'withdrawn'; decision_reason?: string },
): Promise<void> {
  await tx
    .updateTable('factor_resets')
    .set({ ...decision, decided_by: actor.id, decided_at: sql<Date>`now()` })
    .where('id', '=', resetId)
    .execute()
}

/** Cancels the caller's own request. */
export const withdrawFactorReset: Handler<typeof withdrawEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    const { isOwn } = await lockReset(tx, call.actor, input)
    if (!isOwn) refuse('RESET_NOT_OWN')
    await decide(tx, call.actor, input.resetId, { state: 'withdrawn' })
    await call.audit(tx, { target: input.userId })
  })
  return {}
}

/** Resets the second factors: the user logs in by the password alone and sets up new ones. */
export const confirmFactorReset: Handler<typeof confirmEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  await db.transaction().execute(async (tx) => {
    const { user, asker, askerId, askerMay, isOwn } = await lockReset(tx, actor, input)
    if (isOwn) refuse('RESET_OWN')
    if (!askerMay) refuse('RESET_ASKER_GONE')
    await requireFourEyes(tx, call, asker, user.id)
    if (!(await removeFactors(tx, user.id))) refuse('FACTOR_NOT_FOUND')
    await endAccess(tx, user.id)
    await decide(tx, actor, input.resetId, { state: 'confirmed' })
    await tellOfFactor(tx, call, user, 'resetDone')
    await call.audit(tx, { target: input.userId, detail: { asker: askerId } })
  })
  services.mail.wake()
  return {}
}

/** Rejects the request. */
export const refuseFactorReset: Handler<typeof refuseEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const { userId, resetId, reason } = input
  await db.transaction().execute(async (tx) => {
    const { user, askerId, isOwn } = await lockReset(tx, actor, input)
    if (isOwn) refuse('RESET_OWN')
    await decide(tx, actor, resetId, { state: 'refused', decision_reason: reason })
    await tellOfFactor(tx, call, user, 'resetRefused')
    await call.audit(tx, { target: userId, detail: { asker: askerId, reason } })
  })
  services.mail.wake()
  return {}
}
