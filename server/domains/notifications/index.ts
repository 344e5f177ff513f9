// Notifications of users. Exports what other domains may use; for the order, see design/domains#import-order.
export { mailDaily } from './daily-digest.ts'
export { mailAtOnce } from './immediate-mail.ts'
export { notifications } from './handlers.ts'
export { eraseNotifications, removeOldNotifications } from './queries.ts'
export { mountNotificationStream } from './stream.ts'
