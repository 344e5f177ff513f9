// Login, email verification, the caller's password, and new accounts. Exports for other domains; see design/domains#import-order for the
// order.
export { createAdmin, resetByOperator } from './operator-commands.ts'
export { removeExpiredCodes } from './email-verification.ts'
export {
  hasSettledFactor,
  isHeld,
  isPasswordOwn,
  lockFactors,
  removeFactors,
  renewSealed,
} from './factors.ts'
export { tellOfFactor } from './factor-mails.ts'
export { digestLoginIds, findErasedIds, refuseErasedIds, renewErasedIds } from './erased-ids.ts'
export { createFirstAdmin } from './first-admin.ts'
export { account } from './handlers.ts'
export { type InvitedUser, sendInvitations } from './invitation.ts'
export { endCorrection, endLinks, hasLink, isGoodLink, removeExpiredLinks } from './email-links.ts'
export {
  endLock,
  isPasswordDisabled,
  lockedUntil,
  moveLoginFailures,
  deleteOldAttempts,
} from './login-locks.ts'
export { removeOldEnrolments } from './passkeys.ts'
export { askToConfirmEmail, saveEmail } from './new-email.ts'
export { checkAccount, confirmingProviders, continueLogin } from './provider-login.ts'
export { lockVerifiedPassword, verifyOwnPassword } from './verify-own-password.ts'
export {
  ACCOUNT_CONSTRAINTS,
  findEmailHolder,
  insertAccount,
  removeOldNetworks,
  reservesEmail,
} from './queries.ts'
export { endAccess, endOne, findLiveSessions, savePasswordCheck, tellEnded } from './sessions.ts'
export { removeOldTickets } from './begin-session.ts'
export { removeOldDevices } from './trusted-devices.ts'
export { createRequestTicket, holdProvider } from './sso-request.ts'
export { sendTemporaryPassword } from './reset-password.ts'
