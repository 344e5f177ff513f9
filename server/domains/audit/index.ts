// Reads the audit log, the history of each record and the access log. Exports what other domains may use; for the order, see
// design/domains#import-order.
export { audit } from './handlers.ts'
export { annotateAccess } from './access-log/annotate.ts'
export { mergeAccessCounts } from './access-log/find.ts'
export { dueAt, dueMonths } from './inspections/queries.ts'
export { mergeAuditCounts } from './find.ts'
export { eraseLogFiles, erasePrivacyRecords, eraseTrail } from './erase.ts'
export { dueReviews, presentQuarter, reviewDueAt, reviewId, reviewQuarter } from './reviews/queries.ts'
