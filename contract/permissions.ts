/** Function permissions (rules/roles#functions): rows in the database joined to roles; these are their names. */
export const FUNCTIONS = [
  /** Search, read, edit, approve and withdraw users. */
  'autho_user_manage',
  /** Register a user. */
  'autho_user_insert',
  /** Act on 관리자 accounts and grant the 관리자 role. */
  'autho_admin_manage',
  /** Make, rename and remove roles; grant and revoke their functions. */
  'autho_role_manage',
  /** Edit and delete other people's notices. */
  'autho_notice_manage',
  /** Search the history of issued keys. */
  'autho_key_search',
  /** Partner search, detail, register, edit and delete. */
  'autho_partner_search',
  /** Make and revoke the tokens of services that verify keys. */
  'autho_service_manage',
  /** Change the portal's settings and its affiliations. */
  'autho_setting_manage',
  /** Read the audit trail. */
  'autho_audit_search',
  /** Export personal data unmasked. */
  'autho_export_personal',
] as const

/** The name of a function permission. */
export type FunctionName = (typeof FUNCTIONS)[number]

/**
 * The functions that give power over people, their rights and their data: what leads every mail of the portal is power
 * over whoever opens it. A role that holds one which somebody lacks is above them:
 * they neither give nor change it, nor administer an account that has it (design/roles-and-reach#administration-scope).
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

/** The roles that every installation starts with; roleCode on the wire. */
export const ROLE = { admin: 'AUT001', hr: 'AUT002', user: 'AUT003' } as const

/**
 * GROUP_NAME on the wire: Korean whatever the language, because the page decides by it (rules/roles#built-in-roles).
 */
export const GROUP_NAME = { admin: '관리자', hr: '인사 관리자', user: '일반 사용자' } as const

/** Who acts: the login ID and the functions that the role holds now. */
export interface Actor {
  userId: string
  functions: readonly FunctionName[]
}

/** Whether the actor's role holds the function. */
export function can(actor: Actor, name: FunctionName): boolean {
  return actor.functions.includes(name)
}

/** Whether a role with these functions has power over people, their rights or their data. */
export function hasPower(functions: readonly FunctionName[]): boolean {
  return POWERS.some((name) => functions.includes(name))
}

/** A role, by what decides who may give it. */
export interface GivenRole {
  roleCode: string
  functions: readonly FunctionName[]
}

/** The powers that the actor lacks: whatever role holds one of them is out of reach. */
export function powersBeyond(actor: Actor): FunctionName[] {
  return POWERS.filter((name) => !can(actor, name))
}

/** Whether a role is not above the actor: it holds no power that the actor lacks (rules/roles#reach). */
export function reaches(actor: Actor, role: { functions: readonly FunctionName[] }): boolean {
  return !powersBeyond(actor).some((name) => role.functions.includes(name))
}

/**
 * Whether the actor may give the role to somebody: it holds nothing that the actor lacks. 일반 사용자 is what everybody
 * has who works here, so that whoever reaches it gives it (rules/roles#giving). The server asks the same of the database:
 * `server/domains/roles/reach.ts`.
 */
export function canGrant(actor: Actor, { roleCode, functions }: GivenRole): boolean {
  if (roleCode === ROLE.user) return reaches(actor, { functions })
  return functions.every((name) => can(actor, name))
}

/**
 * Returns whether the actor may change settings that affect administrators: the actor's role holds every power, as 관리자 does
 * (rules/settings#settings-of-administrators).
 */
export function reachesAdministrators(actor: Pick<Actor, 'functions'>): boolean {
  return POWERS.every((name) => actor.functions.includes(name))
}

/**
 * Whether the actor may read and change this account as an administrator: nobody administers their own account, nor
 * one whose role is above their own (rules/roles#reach, rules/roles#own-account). The server asks the same of the
 * database: `server/domains/roles/reach.ts`.
 */
export function canAdminister(
  actor: Actor,
  target: { userId: string; functions: readonly FunctionName[] },
): boolean {
  return can(actor, 'autho_user_manage') && actor.userId !== target.userId && reaches(actor, target)
}

/**
 * Whether the actor may grant or revoke the function for a role: only what the actor holds, and only for a role that
 * is not above. So nobody raises their own rights, nor anybody's above their own (design/roles-and-reach#administration-scope).
 */
export function canChangeRole(
  actor: Actor,
  role: { functions: readonly FunctionName[] },
  name: FunctionName,
): boolean {
  return can(actor, 'autho_role_manage') && can(actor, name) && reaches(actor, role)
}
