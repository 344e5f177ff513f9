/** The names of all permissions (rules/roles#functions). The database has a row for each and joins them to roles. */
export const FUNCTIONS = [
  /** Search and read users. */
  'autho_user_search',
  /** The same, and edit, approve and withdraw users. */
  'autho_user_manage',
  /** Register users. */
  'autho_user_insert',
  /** Act on 관리자 accounts and grant the 관리자 role. */
  'autho_admin_manage',
  /** Create, rename and remove roles; grant and revoke their permissions. */
  'autho_role_manage',
  /** Publish notices. Without this permission and `autho_notice_manage`, a user edits and deletes no notice, not even an own one. */
  'autho_notice_insert',
  /** Edit and delete other users' notices. */
  'autho_notice_manage',
  /** Search the history of the keys that were issued to the user. */
  'autho_key_own',
  /** Search the history of all keys. */
  'autho_key_search',
  /** Search, read, register, edit and delete partners. */
  'autho_partner_search',
  /** Create and revoke the tokens of services that verify keys. */
  'autho_service_manage',
  /** Change the portal's settings and its affiliations. */
  'autho_setting_manage',
  /** Read the audit log and the access log, their inspections included. */
  'autho_audit_search',
  /** Change the rules of inspections, inspect, remark findings and sign off. */
  'autho_audit_manage',
  /** Export personal data unmasked. */
  'autho_export_personal',
] as const

/** The name of a permission. */
export type FunctionName = (typeof FUNCTIONS)[number]

/**
 * The privileged permissions: over users, their permissions and their data. `autho_setting_manage` is one of them,
 * because it sets the address to which every email links. A role with a privileged permission that the actor lacks is
 * above the actor: the actor may not grant or change it, nor administer an account that has it (rules/roles#reach).
 */
export const POWERS = [
  'autho_user_search',
  'autho_user_manage',
  'autho_user_insert',
  'autho_admin_manage',
  'autho_role_manage',
  'autho_setting_manage',
  'autho_audit_search',
  'autho_audit_manage',
  'autho_export_personal',
] as const satisfies readonly FunctionName[]

/**
 * The permissions that a branch role may have. The others act on the whole company, so a branch role never has them
 * (rules/roles#branch-roles).
 */
export const BRANCH_FUNCTIONS = [
  'autho_user_search',
  'autho_user_manage',
  'autho_user_insert',
  'autho_notice_insert',
  'autho_notice_manage',
  'autho_key_own',
  'autho_key_search',
  'autho_partner_search',
  'autho_export_personal',
] as const satisfies readonly FunctionName[]

/** Returns whether a role of this span may have the permission. */
export function fitsSpan(span: Span, name: FunctionName): boolean {
  return span === 'all' || BRANCH_FUNCTIONS.some((allowed) => allowed === name)
}

/**
 * Returns the permissions of a role that hold within these affiliations; all for null, the whole company. People of
 * another company have no permission that concerns the whole portal, whatever their role says
 * (rules/affiliations#external).
 */
export const functionsWithin = (
  functions: readonly FunctionName[],
  within: readonly string[] | null,
): FunctionName[] => functions.filter((name) => within === null || fitsSpan('branch', name))

/** The spans of a role: the whole company, or the affiliation of each holder and those below it. */
export const SPANS = ['all', 'branch'] as const

/**
 * Span of a role: 'all' for the whole company, or 'branch' for the affiliation of each holder and those below it
 * (rules/roles#branch-roles).
 */
export type Span = (typeof SPANS)[number]

/** The permissions of a role and their span. */
export interface Rights {
  functions: readonly FunctionName[]
  span: Span
}

/** Returns whether a role has the span of one branch and any permission. The affiliation of its holders is a permission then. */
export const isBranchRole = ({ functions, span }: Rights): boolean =>
  span === 'branch' && functions.length > 0

/** The role codes of the roles in every installation; roleCode on the wire. */
export const ROLE = { admin: 'AUT001', hr: 'AUT002', user: 'AUT003' } as const

/** GROUP_NAME on the wire: Korean in every language, because the page compares it (rules/roles#built-in-roles). */
export const GROUP_NAME = { admin: '관리자', hr: '인사 관리자', user: '일반 사용자' } as const

/**
 * The user who makes a call: the login ID, the current permissions of the role and the affiliations that they reach.
 */
export interface Actor {
  userId: string
  functions: readonly FunctionName[]
  /** Codes of the affiliations within the branch of a role with the span `branch`, or of another company; null for all. */
  within: readonly string[] | null
  /** True for a program that changes users: it reaches no privileged role and grants only 일반 사용자 (rules/keys#unattended-changes). */
  isUnattended?: boolean
}

/** The permissions of which each is enough to search and read users. */
export const USER_READERS = [
  'autho_user_search',
  'autho_user_manage',
] as const satisfies readonly FunctionName[]

/** Returns whether the actor's role has the permission. */
export function can(actor: Pick<Actor, 'functions'>, name: FunctionName): boolean {
  return actor.functions.includes(name)
}

/** Returns whether one of these permissions is privileged. False for none. */
export function hasPower(functions: readonly FunctionName[]): boolean {
  return POWERS.some((name) => functions.includes(name))
}

/** A role with the fields that decide who may grant it. */
export interface GivenRole extends Rights {
  roleCode: string
}

/**
 * Returns the privileged permissions that the actor lacks for roles of this span: roles with one of them are outside
 * the actor's reach. An actor of one branch lacks all of them for roles of the whole company, and a program that
 * changes users for all roles.
 */
export function powersBeyond(actor: Actor, span: Span): readonly FunctionName[] {
  const lacksAll = actor.isUnattended === true || (actor.within !== null && span === 'all')
  return lacksAll ? POWERS : POWERS.filter((name) => !can(actor, name))
}

/** Returns whether a role is not above the actor: it has no privileged permission that the actor lacks (rules/roles#reach). */
export function reaches(actor: Actor, { functions, span }: Rights): boolean {
  return !powersBeyond(actor, span).some((name) => functions.includes(name))
}

/**
 * Returns whether the actor may grant the role to a user: it has no permission that the actor lacks, and reaches no further than the
 * actor. 일반 사용자 is the default role of all users, so any actor who reaches it may grant it (rules/roles#giving). The SQL condition
 * in `server/domains/roles/admin-scope.ts` must stay the same.
 */
export function canGrant(actor: Actor, { roleCode, ...rights }: GivenRole): boolean {
  if (roleCode === ROLE.user) return reaches(actor, rights)
  if (actor.isUnattended === true) return false
  if (actor.within !== null && rights.span === 'all') return false
  return rights.functions.every((name) => can(actor, name))
}

/**
 * Returns whether the actor may change settings that affect administrators: the actor's role has every privileged permission, as
 * 관리자 does (rules/settings#settings-of-administrators).
 */
export function reachesAdministrators(actor: Pick<Actor, 'functions'>): boolean {
  return POWERS.every((name) => actor.functions.includes(name))
}

/**
 * Returns whether the actor may grant or revoke the permission for a role. The actor must have both `autho_role_manage`
 * and the permission, the role must not be above the actor, and its span must allow the permission. So no actor can
 * raise any user's permissions above the actor's own (design/roles-and-reach#administration-scope).
 * @param role the role before the change
 */
export function canChangeRole(actor: Actor, role: Rights, name: FunctionName): boolean {
  return (
    can(actor, 'autho_role_manage') && can(actor, name) && fitsSpan(role.span, name) && reaches(actor, role)
  )
}
