// The audit trail and the history of each record, read. What other domains may use; the order stands in ADR 048.
export { audit } from './handlers.ts'
export { mergeAuditCounts } from './find.ts'
