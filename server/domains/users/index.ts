// User administration, and automatic changes of accounts. Exports for other domains; see design/domains#import-order for the order.
export { withdrawRoles } from './bulk/bulk.ts'
export { undoId } from './bulk/bulk-undo.ts'
export { endSessions, runDaily } from './daily.ts'
export { eraseWithdrawn } from './erase.ts'
export { decidableResets } from './access/factor-reset.ts'
export { users } from './handlers.ts'
export { endingUsers, mergeUserCounts } from './search/list.ts'
