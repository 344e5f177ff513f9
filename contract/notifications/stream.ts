import { sharedErrorsOf } from '../endpoint.ts'
import type { ByteRoute } from '../notices/byte-routes.ts'
import { countUnreadNotifications, NOTIFICATION_STREAM_PATH } from './count.ts'

/**
 * GET of server-sent events: each means that something is new, and a call returns what it is
 * (design/mail-and-notifications#notifications).
 */
export const watchNotifications: ByteRoute = {
  method: 'GET',
  url: NOTIFICATION_STREAM_PATH,
  summary: 'Receive events of new notifications',
  needs: countUnreadNotifications,
  errors: sharedErrorsOf(countUnreadNotifications).filter(
    (code) =>
      !['ENVELOPE_INVALID', 'INPUT_INVALID', 'PAYLOAD_TOO_LARGE', 'CONTENT_TYPE_UNSUPPORTED'].includes(code),
  ),
}
