// What concerns a person. What other domains may use; the order stands in design/domains#import-order.
export { mailDaily } from './daily.ts'
export { notifications } from './handlers.ts'
export { mailAtOnce } from './mails.ts'
export { eraseNotifications, removeOldNotifications } from './queries.ts'
export { mountNotificationStream } from './stream.ts'
