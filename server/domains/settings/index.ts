// Settings of the whole portal. Exports what other domains may use; for the order, see design/domains#import-order.
export { shownNames } from './english-names.ts'
export { clearAdminNetworks } from './security.ts'
export { settings } from './handlers.ts'
export { findOfficer, retentionInForce, findRetention } from './retention.ts'
export { MARU_VERSION, stateOfSystem } from './system.ts'
