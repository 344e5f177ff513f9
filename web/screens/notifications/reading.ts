import { countUnreadNotifications } from '../../../contract/notifications/count.ts'
import {
  listNotifications,
  readAllNotifications,
  readNotifications,
} from '../../../contract/notifications.ts'
import { call } from '../../api/client.ts'
import { invalidate, queryClient } from '../../api/query.ts'

/** Marks one as read; a mark that fails is no reason to hold up the way to the page behind it. */
export async function markRead(notificationId: string): Promise<void> {
  const done = call(readNotifications, { notificationIds: [notificationId] }, { inline: 'everything' })
  await done.then(show, () => {})
}

/** Marks all of them. */
export async function markAllRead(): Promise<void> {
  await call(readAllNotifications, {}).then(show, () => {})
}

async function show(left: { unreadCount: number }): Promise<void> {
  queryClient.setQueryData([countUnreadNotifications.path, {}], left)
  await invalidate(listNotifications)
}
