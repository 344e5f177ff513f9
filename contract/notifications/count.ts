import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/**
 * Counts the notifications that the caller has not read, for the notification bell. The page calls it again after each event of the
 * stream.
 */
export const countUnreadNotifications = endpoint({
  path: '/ntf/v1/get/unreadCount',
  summary: 'Count my unread notifications',
  access: 'signed-in',
  output: z.object({ unreadCount: z.number() }),
  audit: 'none',
  personal: 'none',
  // The page makes the call without the user's action.
  leavesSessionIdle: true,
})

/**
 * Path of the event stream (SSE), below /api. Its only event means "something is new"
 * (design/mail-and-notifications#notifications).
 */
export const NOTIFICATION_STREAM_PATH = '/ntf/v1/stream'
