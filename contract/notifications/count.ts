import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** How many notifications the caller has not read: the number on the bell. Asked again whenever a stream says so. */
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
  // The page asks by itself.
  leavesSessionIdle: true,
})

/** GET of server-sent events, below /api: "something is new", and nothing else (design/mail-and-notifications#notifications). */
export const NOTIFICATION_STREAM_PATH = '/ntf/v1/stream'
