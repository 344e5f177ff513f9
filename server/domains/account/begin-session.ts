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

/** What a login is made with. */
type LoginCall = Pick<Call, 'language' | 'address' | 'userAgent' | 'audit' | 'services' | 'cookies'> & {
  actor: SignedIn | null
}

/** Why an account may not log in now, or from here; null where it may. */
export function loginRefusal(
  { address, services }: Pick<LoginCall, 'address' | 'services'>,
  found: Account,
): ErrorCode | null {
  const { adminNetworks } = services.settings.now()
  if (found.refusal !== null) return found.refusal
  return isAdminNetworkAllowed(address, found.functions, adminNetworks) ? null : 'LOGIN_ADDRESS_REFUSED'
}

/**
 * Begins the session of a login, with all that goes with it: the tries before are forgotten, a new place is told, sessions beyond the
 * limit end, and it is on record.
 * @param by the second factor, where there was one, and when it was set up
 * @returns the sessionUid
 * @throws {Refusal} LOGIN_FAILED when the password was changed or reset since it was compared
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
  // The first login of all is new to nobody.
  if (!found.known_here && found.has_logged_in) {
    const detail = { address, device: deviceOf(userAgent) }
    await notify(tx, { kind: 'NEW_NETWORK', userId: found.id, detail })
  }
  // Whose it was: nobody has it any more after this answer.
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
