import type { Handlers } from '../../http/handler.ts'
import { chooseNotification, listNotificationChoices } from './choices.ts'
import { countUnread, findNotifications, saveAllRead, saveRead } from './queries.ts'
import { said } from './said.ts'

/** Calls for the caller's notifications, and which of them they have read. */
export const notifications: Handlers<'notifications'> = {
  async listNotifications({ db, actor, language }, { unreadOnly, ...page }) {
    const { rows, ...counts } = await findNotifications(db, actor, page, unreadOnly)
    return { ...counts, notifications: rows.map((row) => said(row, language)) }
  },

  async countUnreadNotifications({ db, actor }) {
    return { unreadCount: await countUnread(db, actor) }
  },

  async readNotifications({ db, actor }, { notificationIds }) {
    await saveRead(db, actor, notificationIds)
    return { unreadCount: await countUnread(db, actor) }
  },

  async readAllNotifications({ db, actor }) {
    await saveAllRead(db, actor)
    return { unreadCount: await countUnread(db, actor) }
  },

  listNotificationChoices,
  chooseNotification,
}
