import { refuse } from '../../../../contract/errors.ts'
import type {
  endUserSession as endOneEndpoint,
  endUserSessions as endAllEndpoint,
  listUserSessions as listEndpoint,
} from '../../../../contract/users.ts'
import { deviceOf } from '../../../http/device.ts'
import type { Handler } from '../../../http/handler.ts'
import { endOne, findLiveSessions, tellEnded, endAccess } from '../../account/index.ts'
import { administrableAccountOf, refuseAccount } from '../../roles/index.ts'
import { because } from './help.ts'
import { lockUser } from '../queries.ts'

/** Lists the sessions of a user (rules/users#sessions-seen). */
export const listUserSessions: Handler<typeof listEndpoint> = async (call, { userId }) => {
  const { db, actor, services } = call
  const user = await administrableAccountOf(db, actor, userId).select('u.id').executeTakeFirst()
  const { id } = user ?? (await refuseAccount(db, userId))
  const live = await findLiveSessions(db, id, services.config.session)
  const sessions = live.map((session) => ({
    sessionId: session.id,
    device: deviceOf(session.user_agent),
    address: session.address,
    placeKnown: session.place_known,
    loggedInAt: session.login_at,
    lastUsedAt: session.last_use_at,
  }))
  return { sessions }
}

/** Ends one session of a user. A session that has ended meanwhile is not counted (rules/users#session-ended). */
export const endUserSession: Handler<typeof endOneEndpoint> = async (call, input) => {
  const { userId, sessionId, reason } = input
  await call.db.transaction().execute(async (tx) => {
    const { id } = await lockUser(tx, call.actor, userId, false)
    const ended = await endOne(tx, { userId: id, sessionId }, call.services.config.session)
    if (ended === undefined) return refuse('SESSION_NOT_FOUND')
    await tellEnded(tx, id, 'manager', [ended])
    const detail = {
      ended: 1,
      device: deviceOf(ended.user_agent),
      address: ended.address,
      ...because(reason),
    }
    return call.audit(tx, { target: userId, detail })
  })
  return {}
}

/** Ends all sessions of a user (rules/users#sessions-ended). */
export const endUserSessions: Handler<typeof endAllEndpoint> = async (call, { userId, reason }) => {
  const endedCount = await call.db.transaction().execute(async (tx) => {
    const { id } = await lockUser(tx, call.actor, userId, false)
    // Counts only the sessions that the list shows: an expired session was not ended by this call.
    const live = await findLiveSessions(tx, id, call.services.config.session)
    await endAccess(tx, id)
    await tellEnded(tx, id, 'manager', live)
    await call.audit(tx, { target: userId, detail: { ended: live.length, ...because(reason) } })
    return live.length
  })
  return { endedCount }
}
