import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/**
 * Counts the notifications that the caller has not read, for the notification bell. The page calls it again after each event of the
 * stream.
 */
export const countUnreadNotifications = endpoint({
  path: '/ntf/v1/get/unreadCount',
  summary: 'How many notifications I have not read',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({ unreadCount: z.number() }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
  // The page makes the call without the user's action.
  leavesSessionIdle: true,
})

/**
 * Path of the event stream (SSE), below /api. Its only event means "something is new"
 * (design/mail-and-notifications#notifications).
 */
export const NOTIFICATION_STREAM_PATH = '/ntf/v1/stream'
