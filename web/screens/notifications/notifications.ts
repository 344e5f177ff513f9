import { countUnreadNotifications } from '../../../contract/notifications/count.ts'
import {
  listNotifications,
  readAllNotifications,
  readNotifications,
} from '../../../contract/notifications.ts'
import { call } from '../../api/client.ts'
import { invalidate, queryClient } from '../../api/query.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { type NotificationTexts, notifications as ko } from '../../../contract/messages/ko/notifications.ts'
import { describe as inWords } from '../../../contract/notifications/kinds.ts'
import { hasCachedFunction } from '../../session.ts'
import { notifications as en } from '../../../contract/messages/en/notifications.ts'
import { useLanguage } from '../../language.tsx'

/**
 * Marks a notification as read (`readNotifications`) and updates the unread count and the lists. Ignores failures
 * silently, because the user is opening another page.
 */
export async function markRead(notificationId: string): Promise<void> {
  const done = call(readNotifications, { notificationIds: [notificationId] }, { inline: 'everything' })
  await done.then(show, () => {})
}

/**
 * Marks all notifications as read and updates the unread count and the lists. Never rejects: a failure goes through the
 * global error handling.
 */
export async function markAllRead(): Promise<void> {
  await call(readAllNotifications, {}).then(show, () => {})
}

/** Shows the number of unread notifications that the server returned in the bell, and reads the lists again. */
async function show(left: { unreadCount: number }): Promise<void> {
  queryClient.setQueryData([countUnreadNotifications.path, {}], left)
  await invalidate(listNotifications)
}

/** A notification, as the API returns it. */
export type Notification = OutputOf<typeof listNotifications>['notifications'][number]

/**
 * Returns the text, the detail ('' for none) and the target page of a notification. The target depends on the
 * permissions that the browser has cached.
 */
export const describe = (one: Notification, t: NotificationTexts) => inWords(one, t, hasCachedFunction)

/**
 * Returns the texts of notifications in the current language. They load with the bell and its pages, apart from the common
 * texts.
 */
export function useNotificationTexts(): NotificationTexts {
  return { ko, en }[useLanguage().language]
}
