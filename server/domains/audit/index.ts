// The audit trail, the history of each record and the access log, read. What other domains may use; the order stands in design/domains#import-order.
export { audit } from './handlers.ts'
export { annotateAccess } from './access/annotate.ts'
export { mergeAccessCounts } from './access/find.ts'
export { dueAt, dueMonths } from './inspections/queries.ts'
export { eraseTrail, mergeAuditCounts } from './find.ts'
export { dueReviews, presentQuarter, reviewDueAt, reviewId, reviewQuarter } from './reviews/queries.ts'
