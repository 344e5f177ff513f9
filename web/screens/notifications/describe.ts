import type { OutputOf } from '../../../contract/endpoint.ts'
import type { NotificationTexts } from '../../../contract/messages/ko/notifications.ts'
import type { listNotifications } from '../../../contract/notifications.ts'
import { describe as inWords } from '../../../contract/notifications/kinds.ts'
import { hasCachedFunction } from '../../session.ts'

/** A notification as the list answers it. */
export type Notification = OutputOf<typeof listNotifications>['notifications'][number]

/** Puts a notification into words, for who looks at it. */
export const describe = (one: Notification, t: NotificationTexts) => inWords(one, t, hasCachedFunction)
