// User administration, and what happens to accounts by itself. What other domains may use; the order stands in design/domains#import-order.
export { withdrawRoles } from './bulk/bulk.ts'
export { endSessions, runDaily } from './daily/run.ts'
export { eraseWithdrawn } from './erase.ts'
export { decidableResets } from './access/factor-reset.ts'
export { users } from './handlers.ts'
export { endingUsers, mergeUserCounts } from './search/list.ts'
