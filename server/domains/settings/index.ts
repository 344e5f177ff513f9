// What holds for the whole portal. What other domains may use; the order stands in design/domains#import-order.
export { clearAdminNetworks } from './security.ts'
export { settings } from './handlers.ts'
export { retentionInForce, retentionKept } from './retention.ts'
export { MARU_VERSION, stateOfSystem } from './system.ts'
