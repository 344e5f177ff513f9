import { refuse } from '../../../../contract/errors.ts'
import type {
  endUserSession as endOneEndpoint,
  endUserSessions as endAllEndpoint,
  listUserSessions as listEndpoint,
} from '../../../../contract/users.ts'
import { deviceOf } from '../../../callers/user-agent.ts'
import type { Handler } from '../../../http/handler.ts'
import { endOne, findLiveSessions, tellEnded, endAccess } from '../../account/index.ts'
import { administrableAccountOf, refuseAccount } from '../../roles/index.ts'
import { reasonDetail, changeUser } from '../queries.ts'

/**
 * Returns the live sessions of another user whom the actor may administer, last used first (rules/users#user-sessions).
 * @throws {Refusal} FORBIDDEN and USER_NOT_FOUND as `refuseAccount`
 */
export const listUserSessions: Handler<typeof listEndpoint> = async (call, { userId }) => {
  const { db, actor, services } = call
  const user = await administrableAccountOf(db, actor, userId).select('u.id').executeTakeFirst()
  const { id } = user ?? (await refuseAccount(db, actor, userId))
  const live = await findLiveSessions(db, id, services.settings.session())
  const sessions = live.map((session) => ({
    sessionId: session.id,
    device: deviceOf(session.userAgent),
    address: session.address,
    placeKnown: session.placeKnown,
    loggedInAt: session.loginAt,
    lastUsedAt: session.lastUseAt,
  }))
  return { sessions }
}

/**
 * Ends one session of another user, notifies the user in the portal, and writes the audit row
 * (rules/users#end-a-session).
 * @throws {Refusal} SESSION_NOT_FOUND if it is not live any more; FORBIDDEN and USER_NOT_FOUND as `lockUser`
 */
export const endUserSession: Handler<typeof endOneEndpoint> = (call, { userId, sessionId, reason }) =>
  changeUser(call, userId, async (tx, { id }) => {
    const ended = await endOne(tx, { userId: id, sessionId }, call.services.settings.session())
    if (ended === undefined) return refuse('SESSION_NOT_FOUND')
    await tellEnded(tx, id, 'manager', [ended])
    return { ended: 1, device: deviceOf(ended.userAgent), address: ended.address, ...reasonDetail(reason) }
  })

/**
 * Ends all access of another user as `endAccess`: sessions, trusted devices and pending logins. Notifies the user in
 * the portal if a session was live, and writes the audit row (rules/users#end-all-sessions). Counts only sessions that
 * had not expired; 0 is no error.
 * @throws {Refusal} FORBIDDEN and USER_NOT_FOUND as `lockUser`
 */
export const endUserSessions: Handler<typeof endAllEndpoint> = async (call, { userId, reason }) => {
  let endedCount = 0
  await changeUser(call, userId, async (tx, { id }) => {
    // Counts only the sessions that the list shows: an expired session was not ended by this call.
    const live = await findLiveSessions(tx, id, call.services.settings.session())
    await endAccess(tx, id)
    await tellEnded(tx, id, 'manager', live)
    endedCount = live.length
    return { ended: endedCount, ...reasonDetail(reason) }
  })
  return { endedCount }
}
