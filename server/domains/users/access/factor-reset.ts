import { sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import type { Actor } from '../../../../contract/permissions.ts'
import {
  type askFactorReset as askEndpoint,
  type confirmFactorReset as confirmEndpoint,
  FACTOR_RESET_DAYS,
  type getFactorReset as getEndpoint,
  type refuseFactorReset as refuseEndpoint,
  type withdrawFactorReset as withdrawEndpoint,
} from '../../../../contract/users.ts'
import { administers } from '../../../db/administers.ts'
import { mayLogIn, wireTime } from '../../../db/sql.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { Call, Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
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
  requireIndependent,
  requireFourEyes,
} from '../../roles/index.ts'
import { changeUser, type LockedUser } from '../queries.ts'

/** Days until a request expires, as an SQL literal. */
const days = sql.lit(FACTOR_RESET_DAYS)

/** SQL condition that the request `f` is open and has not expired. */
const isPending = sql<boolean>`f.state = 'waiting' and f.asked_at > now() - make_interval(days => ${days})`

/**
 * Returns the SQL condition that no other user could confirm a request of the actor about the user `u`. The user `u`
 * does not decide about themselves.
 */
const isAlone = (actor: SignedIn) => sql<boolean>`not exists (
  select from users o where o.id <> ${actor.id} and o.id <> u.id and ${mayLogIn('o')} and ${administers('o', 'u')}
    and ${mayJoin(sql`${actor.id}`, sql.ref('o.id'), sql.ref('u.id'))})`

/** SQL condition that the user `u` has a second factor. */
const hasFactor = sql<boolean>`has_second_factor(u.id)`

/**
 * Returns the query for the requests that a reader may decide, as rows of `f` and of the user `u` whom they are about.
 * It excludes the reader's own requests, requests about the reader, accounts out of reach, and requests that have
 * nothing left to reset. Does not check `requireFourEyes`.
 */
export const decidableResets = (db: Db, reader: Actor & { id: string }) =>
  db
    .selectFrom('factorResets as f')
    .innerJoin('users as u', 'u.id', 'f.userId')
    .where(isPending)
    .where('u.withdrawnAt', 'is', null)
    .where('u.id', '<>', reader.id)
    .where('f.askedBy', '<>', reader.id)
    .where(administrable(reader, 'u'))
    .where(hasFactor)

/**
 * Returns whether a user has second factors, what the caller may do about them, and the open request if there is one
 * (rules/users#factor-reset). Records the user and the requester in the access log.
 * @throws {Refusal} FORBIDDEN and USER_NOT_FOUND as `refuseAccount`
 */
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
  if (user === undefined) return refuseAccount(db, actor, userId)
  const reset = await db
    .selectFrom('factorResets as f')
    .innerJoin('users as a', 'a.id', 'f.askedBy')
    .select([
      'f.id as resetId',
      wireTime(sql<Date>`f.asked_at`).as('askedAt'),
      wireTime(sql<Date>`(f.asked_at + make_interval(days => ${days}))`).as('expiresAt'),
      'f.reason',
      'a.id as asker',
      'a.loginId as askerId',
      'a.name as askerName',
      sql<boolean>`a.id = ${actor.id}`.as('ownRequest'),
      mayJoin(sql`${actor.id}`, sql.ref('a.id'), sql`${user.id}`).as('mayConfirm'),
    ])
    .where('f.userId', '=', user.id)
    .where(isPending)
    .executeTakeFirst()
  const { id: about, ...state } = user
  call.touches([about, ...(reset === undefined ? [] : [reset.asker])])
  return { ...state, ...(reset !== undefined && { reset }) }
}

/**
 * Requests a reset of second factors, mails the user about it, and writes the audit row. Changes no factor. A
 * concurrent call waits for the lock on the account and is then refused.
 * @throws {Refusal} FACTOR_NOT_FOUND if the user has none; RESET_WAITS if a request is open; RESET_NEEDS_TWO if no
 * other user could confirm it; FORBIDDEN and USER_NOT_FOUND as `lockUser`; and as `requireIndependent`
 */
export const askFactorReset: Handler<typeof askEndpoint> = async (call, { userId, reason }) => {
  const { actor } = call
  let resetId = ''
  await changeUser(call, userId, async (tx, user) => {
    const found = await tx
      .selectFrom('users as u')
      .select([
        hasFactor.as('hasFactor'),
        isAlone(actor).as('alone'),
        isInvolved(sql`${actor.id}`, sql.ref('u.id')).as('involved'),
        sql<boolean>`exists (select from factor_resets f where f.user_id = u.id and ${isPending})`.as(
          'waits',
        ),
      ])
      .where('u.id', '=', user.id)
      .executeTakeFirstOrThrow()
    if (!found.hasFactor) refuse('FACTOR_NOT_FOUND')
    if (found.waits) refuse('RESET_WAITS')
    requireIndependent(call, found.involved)
    if (found.alone) refuse('RESET_NEEDS_TWO')
    const { id } = await tx
      .insertInto('factorResets')
      .values({ userId: user.id, askedBy: actor.id, reason })
      .returning('id')
      .executeTakeFirstOrThrow()
    resetId = id
    await tellOfFactor(tx, call, user, 'resetAsked')
    return { reason }
  })
  return { resetId }
}

/** Call that decides a request. */
type DecidingCall = Call<typeof withdrawEndpoint | typeof confirmEndpoint | typeof refuseEndpoint>

/**
 * Decides the open request: carries the decision out, stores its state, and writes the audit row. Locks the request
 * after its user. Of two concurrent decisions, the second finds no request.
 * @param decide carries the decision out and returns the audit detail
 * @throws {Refusal} RESET_NOT_FOUND if it was decided or has expired; RESET_NOT_OWN if the caller cancels another
 * user's request; RESET_OWN if the caller confirms or rejects their own; FORBIDDEN and USER_NOT_FOUND as `lockUser`
 */
function decideReset(
  call: DecidingCall,
  { userId, resetId }: { userId: string; resetId: string },
  decision: { state: 'confirmed' | 'refused' | 'withdrawn'; decisionReason?: string },
  decide: (
    tx: Tx,
    user: LockedUser,
    reset: { asker: string; askerId: string; askerMay: boolean },
  ) => Promise<Record<string, unknown>>,
) {
  const { actor } = call
  return changeUser(call, userId, async (tx, user) => {
    const reset = await tx
      .selectFrom('factorResets as f')
      .innerJoin('users as a', 'a.id', 'f.askedBy')
      .innerJoin('users as u', 'u.id', 'f.userId')
      .select([
        'a.id as asker',
        'a.loginId as askerId',
        sql<boolean>`${mayLogIn('a')} and ${administers('a', 'u')}`.as('askerMay'),
      ])
      .where('f.id', '=', resetId)
      .where('f.userId', '=', user.id)
      .where(isPending)
      .forUpdate('f')
      .executeTakeFirst()
    if (reset === undefined) return refuse('RESET_NOT_FOUND')
    const isOwn = reset.asker === actor.id
    if (isOwn !== (decision.state === 'withdrawn')) refuse(isOwn ? 'RESET_OWN' : 'RESET_NOT_OWN')
    const detail = await decide(tx, user, reset)
    await tx
      .updateTable('factorResets')
      .set({ ...decision, decidedBy: actor.id, decidedAt: sql<Date>`now()` })
      .where('id', '=', resetId)
      .execute()
    return detail
  })
}

/**
 * Cancels the caller's own open request, and writes the audit row. Sends no mail.
 * @throws {Refusal} RESET_NOT_FOUND, RESET_NOT_OWN, FORBIDDEN and USER_NOT_FOUND as `decideReset`
 */
export const withdrawFactorReset: Handler<typeof withdrawEndpoint> = (call, input) =>
  decideReset(call, input, { state: 'withdrawn' }, async () => ({}))

/**
 * Removes the second factors as another administrator requested, ends the user's sessions, mails the user, and writes
 * the audit row. The user then logs in by the password alone and sets up new ones. A password that `removeFactors` does
 * not keep has expired.
 * @throws {Refusal} RESET_ASKER_GONE if the requester may not administer the user any more; FACTOR_NOT_FOUND if none is
 * left; RESET_NOT_FOUND, RESET_OWN, FORBIDDEN and USER_NOT_FOUND as `decideReset`; and as `requireFourEyes`
 */
export const confirmFactorReset: Handler<typeof confirmEndpoint> = (call, input) =>
  decideReset(call, input, { state: 'confirmed' }, async (tx, user, { asker, askerId, askerMay }) => {
    if (!askerMay) refuse('RESET_ASKER_GONE')
    await requireFourEyes(tx, call, asker, user.id)
    if (!(await removeFactors(tx, user.id))) refuse('FACTOR_NOT_FOUND')
    await endAccess(tx, user.id)
    await tellOfFactor(tx, call, user, 'resetDone')
    return { asker: askerId }
  })

/**
 * Rejects the request of another administrator with a reason, mails the user whom it is about, and writes the audit
 * row. No factor changes.
 * @throws {Refusal} RESET_NOT_FOUND, RESET_OWN, FORBIDDEN and USER_NOT_FOUND as `decideReset`
 */
export const refuseFactorReset: Handler<typeof refuseEndpoint> = (call, { reason, ...input }) => {
  const decision = { state: 'refused', decisionReason: reason } as const
  return decideReset(call, input, decision, async (tx, user, { askerId }) => {
    await tellOfFactor(tx, call, user, 'resetRefused')
    return { asker: askerId, reason }
  })
}
