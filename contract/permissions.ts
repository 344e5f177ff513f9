/** The names of all permissions (rules/roles#functions). The database has a row for each and joins them to roles. */
export const FUNCTIONS = [
  /** Search, read, edit, approve and withdraw users. */
  'autho_user_manage',
  /** Register users. */
  'autho_user_insert',
  /** Act on 관리자 accounts and grant the 관리자 role. */
  'autho_admin_manage',
  /** Create, rename and remove roles; grant and revoke their permissions. */
  'autho_role_manage',
  /** Edit and delete other users' notices. */
  'autho_notice_manage',
  /** Search the key history. */
  'autho_key_search',
  /** Search, read, register, edit and delete partners. */
  'autho_partner_search',
  /** Create and revoke the tokens of services that verify keys. */
  'autho_service_manage',
  /** Change the portal's settings and its affiliations. */
  'autho_setting_manage',
  /** Read the audit log. */
  'autho_audit_search',
  /** Export personal data unmasked. */
  'autho_export_personal',
] as const

/** The name of a permission. */
export type FunctionName = (typeof FUNCTIONS)[number]

/**
 * The privileged permissions: over users, their permissions and their data. `autho_setting_manage` is one of them, because it sets
 * the address to which every email links. A role with a privileged permission that the actor lacks is above the actor: the actor
 * may not grant or change it, nor administer an account that has it (design/roles-and-reach#administration-scope).
 */
export const POWERS = [
  'autho_user_manage',
  'autho_user_insert',
  'autho_admin_manage',
  'autho_role_manage',
  'autho_setting_manage',
  'autho_audit_search',
  'autho_export_personal',
] as const satisfies readonly FunctionName[]

/** The role codes of the roles in every installation; roleCode on the wire. */
export const ROLE = { admin: 'AUT001', hr: 'AUT002', user: 'AUT003' } as const

/** GROUP_NAME on the wire: Korean in every language, because the page compares it (rules/roles#built-in-roles). */
export const GROUP_NAME = { admin: '관리자', hr: '인사 관리자', user: '일반 사용자' } as const

/** The user who makes a call: the login ID and the present permissions of the role. */
export interface Actor {
  userId: string
  functions: readonly FunctionName[]
}

/** Returns whether the actor's role has the permission. */
export function can(actor: Actor, name: FunctionName): boolean {
  return actor.functions.includes(name)
}

/** Returns whether one of these permissions is privileged. */
export function hasPower(functions: readonly FunctionName[]): boolean {
  return POWERS.some((name) => functions.includes(name))
}

/** The data of a role that decide who may grant it. */
export interface GivenRole {
  roleCode: string
  functions: readonly FunctionName[]
}

/** Returns the privileged permissions that the actor lacks: roles with one of them are outside the administration scope. */
export function powersBeyond(actor: Actor): FunctionName[] {
  return POWERS.filter((name) => !can(actor, name))
}

/** Returns whether a role is not above the actor: it has no privileged permission that the actor lacks (rules/roles#reach). */
export function reaches(actor: Actor, role: { functions: readonly FunctionName[] }): boolean {
  return !powersBeyond(actor).some((name) => role.functions.includes(name))
}

/**
 * Returns whether the actor may grant the role to a user: it has no permission that the actor lacks. 일반 사용자 is the default role of
 * all users, so any actor who reaches it may grant it (rules/roles#giving). The SQL condition in `server/domains/roles/reach.ts`
 * must stay the same.
 */
export function canGrant(actor: Actor, { roleCode, functions }: GivenRole): boolean {
  if (roleCode === ROLE.user) return reaches(actor, { functions })
  return functions.every((name) => can(actor, name))
}

/**
 * Returns whether the actor may change settings that affect administrators: the actor's role has every privileged permission, as
 * 관리자 does (rules/settings#settings-of-administrators).
 */
export function reachesAdministrators(actor: Pick<Actor, 'functions'>): boolean {
  return POWERS.every((name) => actor.functions.includes(name))
}

/**
 * Returns whether the actor may read and change this account as an administrator. Actors may not administer their own account, nor
 * one whose role is above their own (rules/roles#reach, rules/roles#own-account). The SQL condition in
 * `server/domains/roles/reach.ts` must stay the same.
 */
export function canAdminister(
  actor: Actor,
  target: { userId: string; functions: readonly FunctionName[] },
): boolean {
  return can(actor, 'autho_user_manage') && actor.userId !== target.userId && reaches(actor, target)
}

/**
 * Returns whether the actor may grant or revoke the permission for a role: the actor must have it, and the role must not be above
 * the actor. So no actor can raise any user's permissions above the actor's own (design/roles-and-reach#administration-scope).
 */
export function canChangeRole(
  actor: Actor,
  role: { functions: readonly FunctionName[] },
  name: FunctionName,
): boolean {
  return can(actor, 'autho_role_manage') && can(actor, name) && reaches(actor, role)
}
