// Roles, and whom somebody may administer. What other domains may use; the order stands in design/domains#import-order.
export { removeRoleIn } from './change.ts'
export { endFormerControl } from './former-controllers.ts'
export { isInvolved, mayJoin, requireAsker, requireFourEyes } from './four-eyes.ts'
export { roles } from './handlers.ts'
export {
  checkGrantable,
  functionsOf,
  heldRole,
  holdersOf,
  holdGrantableRoles,
  stateOf as roleState,
} from './queries.ts'
export {
  accountOf,
  administrable,
  administrableAccountOf,
  grantable,
  refuseAccount,
  withinReach,
} from './reach.ts'
