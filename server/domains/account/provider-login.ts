import { type Kysely, sql, type Transaction } from 'kysely'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { type login, TRUSTED_DEVICE } from '../../../contract/account.ts'
import { type ErrorCode, Refusal, refuse } from '../../../contract/errors.ts'
import { networkOf } from '../../callers/client-address.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import { beginSession, loginRefusal, makeTicket } from './begin-session.ts'
import { findAccount } from './queries.ts'
import { loginFromTrustedDevice } from './trusted-devices.ts'

/** User whom an identity provider has named. */
interface Named {
  /** The provider; `factorCounts` if its login needs no second factor of the portal. */
  provider: { id: string; name: string; factorCounts: boolean }
  /** Returns the login ID of the user's account, in the transaction of the login; may create it, or refuse. */
  find: (tx: Transaction<Database>) => Promise<string>
}

/**
 * Logs in a user whom an identity provider has named (rules/sso#after-the-answer), with the checks of a login by
 * password. A lock or a disabled password does not refuse it, and it clears no counts: no password was entered. A
 * trusted device replaces the second factor.
 * @returns the session, as the call `login`
 * @throws {Refusal} LOGIN_FAILED; the refusals of `loginRefusal`; SECOND_FACTOR_REQUIRED with a ticket; and those of
 * `find`
 */
export async function continueLogin(
  call: Pick<
    Call,
    'db' | 'services' | 'address' | 'userAgent' | 'language' | 'audit' | 'cookies' | 'triesAs' | 'touches'
  > & { actor: Call<typeof login>['actor'] },
  { provider, find }: Named,
): Promise<OutputOf<typeof login>> {
  const { ticket, done } = await call.db.transaction().execute(async (tx) => {
    const loginId = await find(tx)
    call.triesAs(loginId)
    const found = (await findAccount(tx, loginId, networkOf(call.address))) ?? refuse('LOGIN_FAILED')
    call.touches([found.id])
    const refusal = loginRefusal(call, found)
    if (refusal !== null) refuse(refusal)
    const isFactorNeeded = found.hasSecondFactor && !provider.factorCounts
    const isTrusted = isFactorNeeded && (await loginFromTrustedDevice(tx, call, found.id))
    if (isFactorNeeded && !isTrusted) return { ticket: await makeTicket(tx, call, found, provider.id) }
    const sessionUid = await beginSession(
      tx,
      call,
      found,
      isTrusted ? { factor: TRUSTED_DEVICE } : undefined,
      { provider },
    )
    const { passwordTemporary: mustChangePassword, mustSetUpFactor, mustAcceptPrivacy } = found
    return {
      done: { sessionUid, userId: found.loginId, mustChangePassword, mustSetUpFactor, mustAcceptPrivacy },
    }
  })
  if (done === undefined) throw new Refusal('SECOND_FACTOR_REQUIRED', { ticket })
  return done
}

/**
 * Returns the error code with which a login from the caller's address must be refused, as `loginRefusal`; LOGIN_FAILED
 * if no account has this ID.
 * @returns null if the account may log in
 */
export async function checkAccount(
  db: Kysely<Database>,
  call: Pick<Call, 'address' | 'services'>,
  loginId: string,
): Promise<ErrorCode | null> {
  const found = await findAccount(db, loginId, networkOf(call.address))
  return found === undefined ? 'LOGIN_FAILED' : loginRefusal(call, found)
}

/**
 * Returns the query for IDs and names of the enabled providers to which a user is linked and by which they
 * reauthenticate, because they have no password (rules/sso#reauthentication). Finds none for a user with a password.
 */
export const confirmingProviders = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('identities as i')
    .innerJoin('identityProviders as p', 'p.id', 'i.providerId')
    .innerJoin('users as u', 'u.id', 'i.userId')
    .select(['p.id as providerId', 'p.name as providerName'])
    .where('i.userId', '=', userId)
    .where('p.enabledAt', 'is not', null)
    .where(sql<boolean>`has_no_password(u)`)
    .orderBy('p.id')
