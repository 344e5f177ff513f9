import type {
  endOtherSessions as endEndpoint,
  listSessions as listEndpoint,
} from '../../../contract/account.ts'
import { deviceOf } from '../../http/device.ts'
import type { Handler } from '../../http/handler.ts'
import { endOtherAccess, findLiveSessions } from './sessions.ts'

/** Lists the caller's live sessions, the current one first (rules/account#devices). */
export const listSessions: Handler<typeof listEndpoint> = async ({ db, actor, services }) => {
  const sessions = await findLiveSessions(db, actor.id, services.config.session)
  const rows = sessions.map((session) => ({
    current: session.token_hash.equals(actor.tokenHash),
    device: deviceOf(session.user_agent),
    address: session.address,
    loggedInAt: session.login_at,
    lastUsedAt: session.last_use_at,
  }))
  return { sessions: rows.toSorted((a, b) => (a.current === b.current ? 0 : a.current ? -1 : 1)) }
}

/** Ends the caller's other sessions. */
export const endOtherSessions: Handler<typeof endEndpoint> = async (call) => {
  const { db, actor, services } = call
  const ended = await db.transaction().execute(async (tx) => {
    // Counts only the sessions that the list shows: an expired session was not ended by this call.
    const live = await findLiveSessions(tx, actor.id, services.config.session)
    const count = live.filter((session) => !session.token_hash.equals(actor.tokenHash)).length
    await endOtherAccess(tx, actor.id, actor.tokenHash)
    await call.audit(tx, { target: actor.userId, detail: { ended: count } })
    return count
  })
  return { endedCount: ended }
}
