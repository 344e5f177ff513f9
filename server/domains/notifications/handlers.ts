import { sql } from 'kysely'
import {
  CHOOSABLE,
  type chooseNotification as chooseEndpoint,
  KINDS,
  type listNotificationChoices as listEndpoint,
  mailOf,
  mayConcern,
} from '../../../contract/notifications.ts'
import type { Handler, Handlers } from '../../http/handler.ts'
import { countUnread, findNotifications, saveAllRead, saveRead, toItem } from './queries.ts'

/**
 * Returns the kinds of notifications that the caller may get, and for each whether the portal shows it, when it is
 * mailed, and whether the caller may change this (rules/notifications#choices).
 */
const listNotificationChoices: Handler<typeof listEndpoint> = async ({ db, actor }) => {
  const state = await db
    .selectFrom('notificationStates')
    .select(['hidden', 'mail'])
    .where('userId', '=', actor.id)
    .executeTakeFirst()
  const { hidden, mail } = state ?? { hidden: [], mail: {} }
  const isChoosable = new Set<string>(CHOOSABLE)
  const choices = KINDS.filter((kind) => mayConcern(kind, actor)).map((kind) => ({
    kind,
    shown: !hidden.includes(kind),
    mail: mailOf(kind, actor, mail),
    changeable: isChoosable.has(kind),
  }))
  return { choices }
}

/**
 * Saves the caller's preference for a kind of notifications: whether the portal shows it, and when it is mailed. Those
 * for other kinds stay.
 */
const chooseNotification: Handler<typeof chooseEndpoint> = async ({ db, actor }, { kind, shown, mail }) => {
  await sql`
    insert into notification_states as s (user_id, hidden, mail)
    values (${actor.id}, ${shown ? [] : [kind]}::text[], jsonb_build_object(${kind}::text, ${mail}::text))
    on conflict (user_id) do update
      set hidden = array_remove(s.hidden, ${kind}) || excluded.hidden, mail = s.mail || excluded.mail`.execute(
    db,
  )
}

/** Handlers of the calls about the caller's notifications, their read state and the preferences for their kinds. */
export const notifications: Handlers<'notifications'> = {
  /** Returns a page of the caller's notifications in the caller's language, with the number of unread ones. */
  async listNotifications({ db, actor, language }, { unreadOnly, ...page }) {
    const { rows, ...counts } = await findNotifications(db, actor, page, unreadOnly)
    return { ...counts, notifications: rows.map((row) => toItem(row, language)) }
  },

  /** Returns the number of the caller's unread notifications. */
  async countUnreadNotifications({ db, actor }) {
    return { unreadCount: await countUnread(db, actor) }
  },

  /** Marks these notifications of the caller as read, and returns the number of unread ones. */
  async readNotifications({ db, actor }, { notificationIds }) {
    await saveRead(db, actor, notificationIds)
    return { unreadCount: await countUnread(db, actor) }
  },

  /** Marks all current notifications of the caller as read, and returns the number of unread ones. */
  async readAllNotifications({ db, actor }) {
    await saveAllRead(db, actor)
    return { unreadCount: await countUnread(db, actor) }
  },

  listNotificationChoices,
  chooseNotification,
}
