/**
 * The scopes of program tokens (rules/keys#scopes). A token may make the plain calls of its scopes, as far as the role of its user
 * allows them.
 */
export const SCOPES = [
  'users:read',
  'users:write',
  'users:suspend',
  'colleagues:read',
  'approvals:read',
  'notices:read',
  'notices:write',
  'keys:read',
  'keys:issue',
  'keys:verify',
  'partners:read',
  'partners:write',
  'audit:read',
  'events:read',
] as const

/** Name of a scope. */
export type Scope = (typeof SCOPES)[number]

/**
 * The scopes of calls that ask a person for the password. The choice of the scope confirms them, so a program reaches no privileged
 * role with them (rules/keys#unattended-changes).
 */
export const UNATTENDED_SCOPES: readonly (Scope | undefined)[] = ['users:write', 'users:suspend']
