/**
 * The scopes of program tokens (rules/keys#scopes). A token may make the plain calls of its scopes, as far as the role of its user
 * allows them.
 */
export const SCOPES = [
  'users:read',
  'colleagues:read',
  'approvals:read',
  'notices:read',
  'notices:write',
  'keys:read',
  'keys:issue',
  'partners:read',
  'partners:write',
  'audit:read',
] as const

/** Name of a scope. */
export type Scope = (typeof SCOPES)[number]
