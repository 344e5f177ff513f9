import { type Transaction, sql } from 'kysely'
import { CONFIRMATION_MINUTES } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { networkOf } from '../../callers/client-address.ts'
import { mailPasswordDisabled } from './login-locks.ts'
import { verifyPasswordAttempt } from './login-attempts.ts'
import { knownFrom } from './queries.ts'

/** Part of a call that compares the caller's password. */
type ComparingCall = Pick<Call, 'db' | 'services' | 'address' | 'language'> & { actor: SignedIn }

/**
 * Checks that the caller reauthenticated for a call whose `confirmed` is `password`: by the password in its input, and
 * by the second factor of a user who has one (rules/account#confirmation). An unattended program enters none: its
 * password is not compared (rules/keys#unattended-changes).
 * @returns as `comparePassword`
 * @throws {Refusal} CONFIRMATION_REQUIRED, and as `comparePassword`
 */
export async function verifyOwnPassword(
  call: ComparingCall & Pick<Call, 'requireConfirmation'>,
  password: string,
): Promise<string> {
  call.requireConfirmation('password')
  if (call.actor.isUnattended !== true) return comparePassword(call, password)
  const { passwordHash } = await call.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', call.actor.id)
    .executeTakeFirstOrThrow()
  return passwordHash
}

/**
 * Returns the hash of the temporary password that the caller entered for the login of this session, if that was within
 * CONFIRMATION_MINUTES (rules/account#temporary-password-once). A new temporary password ends all sessions, so the
 * session proves the current one.
 * @throws {Refusal} PASSWORD_NEEDED if there was no such login; CONFIRMATION_REQUIRED if the caller has a second factor
 * and did not reauthenticate with it
 */
export async function findTemporaryPassword({
  db,
  actor,
  requireConfirmation,
}: ComparingCall & Pick<Call, 'requireConfirmation'>): Promise<string> {
  requireConfirmation('password')
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .select('u.passwordHash')
    .where('s.tokenHash', '=', actor.tokenHash)
    // A login by an identity provider proves no password.
    .where('s.providerId', 'is', null)
    .where('u.passwordTemporary', '=', true)
    // A factor reset ends a password that its user did not choose.
    .where(sql<boolean>`coalesce(u.temporary_until > now(), true)`)
    .where('s.createdAt', '>', sql<Date>`now() - make_interval(mins => ${sql.lit(CONFIRMATION_MINUTES)})`)
    .executeTakeFirst()
  return row?.passwordHash ?? refuse('PASSWORD_NEEDED')
}

/**
 * Compares the caller's password (rules/users#manager-password). Wrong ones count as failed logins
 * (rules/account#login-lock), and the last one mails the caller. Call it before any other query, so that the holder of
 * a stolen session learns nothing.
 * @returns the hash of the password, for `lockVerifiedPassword` and `savePassword`
 * @throws {Refusal} PASSWORD_WRONG, LOGIN_LOCKED, PASSWORD_DISABLED
 */
export async function comparePassword(call: ComparingCall, password: string): Promise<string> {
  const { db, actor, services, address } = call
  const network = networkOf(address)
  const { passwordHash: hash, knownHere: isKnown } = await db
    .selectFrom('users')
    .select(['passwordHash', knownFrom(network).as('knownHere')])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  const isRight = await verifyPasswordAttempt(
    db,
    actor.userId,
    () => services.passwords.verify(hash, password),
    {
      knownFrom: isKnown ? network : undefined,
      async onWrong({ isLastOfAll }) {
        if (isLastOfAll) await mailPasswordDisabled(call, actor.userId)
      },
    },
  )
  if (!isRight) refuse('PASSWORD_WRONG')
  return hash
}

/**
 * Locks the account whose password was compared until the transaction ends, so that a password change waits.
 * @throws {Refusal} PASSWORD_WRONG if the password was changed or reset since
 */
export async function lockVerifiedPassword(
  tx: Transaction<Database>,
  id: string,
  provenHash: string,
): Promise<void> {
  const row = await tx
    .selectFrom('users')
    .select(sql`1`.as('one'))
    .where('id', '=', id)
    .where('passwordHash', '=', provenHash)
    .forShare()
    .executeTakeFirst()
  if (row === undefined) refuse('PASSWORD_WRONG')
}
