// Roles, and whom somebody may administer. What other domains may use; the order stands in ADR 048.
export { roles } from './handlers.ts'
export { checkGrant, findGrantableRoles, heldRole, holdGrantableRole } from './queries.ts'
export { administrable, withinReach } from './reach.ts'
