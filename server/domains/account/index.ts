// Logging in, certification, one's own password; new accounts. What other domains may use; the order stands in ADR 048.
export { removeExpiredCodes } from './certification.ts'
export { createFirstAdmin } from './first-admin.ts'
export { account } from './handlers.ts'
export { removeOldTries } from './login-tries.ts'
export { removeOldNetworks } from './queries.ts'
export { holdPassword, provePassword } from './own-password.ts'
export { ACCOUNT_CONSTRAINTS, insertAccount } from './queries.ts'
