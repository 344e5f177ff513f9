// Notifications of users. Exports what other domains may use; for the order, see design/domains#import-order.
export { mailDaily } from './daily.ts'
export { notifications } from './handlers.ts'
export { mailAtOnce } from './mails.ts'
export { eraseNotifications, removeOldNotifications } from './queries.ts'
export { mountNotificationStream } from './stream.ts'
