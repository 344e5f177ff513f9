// What holds for the whole portal. What other domains may use; the order stands in ADR 048.
export { clearAdminNetworks } from './security.ts'
export { settings } from './handlers.ts'
export { retentionInForce } from './retention.ts'
