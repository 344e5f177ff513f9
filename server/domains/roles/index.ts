// Roles, and the accounts that a user may administer. Exports for other domains; see design/domains#import-order for the order.
export { removeRoleIn } from './change.ts'
export { endFormerControl, PROVIDER_RIGHTS } from './former-controllers.ts'
export { type GrantRecord, roleGrantDetail } from './grant-records.ts'
export { isInvolved, mayJoin, requireIndependent, requireFourEyes } from './four-eyes.ts'
export { roles } from './handlers.ts'
export { canAdministerToday, keepingAdmins, leavesNoAdmin, NO_END, refusalOfAdmins } from './last-admin.ts'
export {
  checkGrantable,
  functionsOf,
  grantableAmong,
  heldRole,
  holdersOf,
  holdGrantableRoles,
  spanOf,
  withinOf,
} from './queries.ts'
export {
  accountOf,
  administrable,
  administrableAccountOf,
  affiliationsOf,
  grantable,
  inAffiliations,
  inBranch,
  inCompany,
  isBoundToAffiliation,
  isPowerful,
  isWithinReach,
  movable,
  readable,
  refuseAccount,
  requireInBranch,
  withinReach,
} from './admin-scope.ts'
