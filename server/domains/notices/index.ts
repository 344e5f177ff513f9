// The notice board, its files and its readers. Exports what other domains may use; for the order, see
// design/domains#import-order.
export { mountFileLinks, removeOldLinks } from './file-links.ts'
export { notices } from './handlers.ts'
export { mustReadsFor, removeOldReminders, toConfirm } from './readers.ts'
export { mountTus } from './tus.ts'
export { removeOldUploadDays } from './upload-quota.ts'
