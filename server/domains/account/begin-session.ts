import { sql, type Transaction } from 'kysely'
import type { Factor } from '../../../contract/account.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import { networkOf } from '../../http/address.ts'
import { deviceOf } from '../../http/device.ts'
import type { Call } from '../../http/handler.ts'
import { isAdminNetworkAllowed } from '../../http/session-binding.ts'
import { endSession, type SignedIn, startSession } from '../../http/sessions.ts'
import { hashToken } from '../../http/tokens.ts'
import { notify } from '../../services/notifications.ts'
import { type Account, saveLogin } from './queries.ts'
import { endBeyond, tellEnded } from './sessions.ts'

/** Parts of a call that a login needs. */
type LoginCall = Pick<Call, 'language' | 'address' | 'userAgent' | 'audit' | 'services' | 'cookies'> & {
  actor: SignedIn | null
}

/**
 * Returns the error if an account may not log in now, or not from this network.
 * @returns null if it may log in
 */
export function loginRefusal(
  { address, services }: Pick<LoginCall, 'address' | 'services'>,
  found: Account,
): ErrorCode | null {
  const { adminNetworks } = services.settings.now()
  if (found.refusal !== null) return found.refusal
  return isAdminNetworkAllowed(address, found.functions, adminNetworks) ? null : 'LOGIN_ADDRESS_REFUSED'
}

/**
 * Begins the session of a login. Clears the earlier attempts, notifies the user of a new network, ends the oldest sessions above the limit,
 * and writes an audit row.
 * @param by the second factor, if one was given, and when it was set up
 * @returns the sessionUid
 * @throws {Refusal} LOGIN_FAILED if the password was changed or reset since it was compared
 */
export async function beginSession(
  tx: Transaction<Database>,
  call: LoginCall,
  found: Account,
  by?: { factor: Factor; madeAt: Date | null },
): Promise<string> {
  const { address, userAgent, services } = call
  const { sessionLimit } = services.settings.now()
  await saveLogin(tx, found, call.language, networkOf(address))
  // The first login of an account needs no notification.
  if (!found.known_here && found.has_logged_in) {
    const detail = { address, device: deviceOf(userAgent) }
    await notify(tx, { kind: 'NEW_NETWORK', userId: found.id, detail })
  }
  // The browser discards its previous session token when it receives the new one.
  if (call.actor !== null) await endSession(tx, call.actor.tokenHash)
  const facts = {
    place_known: found.known_here,
    ...(by && {
      factor_checked_at: sql<Date>`now()`,
      factor_checked_by: by.factor,
      factor_made_at: by.madeAt,
    }),
  }
  const bind = (tokenHash: Buffer) => call.cookies.bind(tokenHash, call.actor?.tokenHash)
  const began = { userId: found.id, address, userAgent, facts, bind }
  const sessionUid = await startSession(tx, began)
  const beyond = { userId: found.id, tokenHash: hashToken(sessionUid), most: sessionLimit }
  const ended = sessionLimit > 0 ? await endBeyond(tx, beyond, services.config.session) : []
  await tellEnded(tx, found.id, 'limit', ended)
  const detail = {
    ...(by && { factor: by.factor }),
    ...(ended.length > 0 && { endedSessions: ended.length }),
  }
  await call.audit(tx, { target: found.login_id, actorId: found.id, detail })
  return sessionUid
}
