/** Function permissions (decisions §5): rows in the database joined to roles; these are their names. */
export const FUNCTIONS = [
  /** Search, read, edit, approve and withdraw users. */
  'autho_user_manage',
  /** Register a user (name fixed by spec §6). */
  'autho_user_insert',
  /** Act on 관리자 accounts and grant the 관리자 role. */
  'autho_admin_manage',
  /** Edit and delete other people's notices. */
  'autho_notice_manage',
  /** Search the history of issued keys. */
  'autho_key_search',
  /** Partner search, detail, register, edit and delete (name fixed by spec §6). */
  'autho_partner_search',
] as const

/** The name of a function permission. */
export type FunctionName = (typeof FUNCTIONS)[number]

/** The roles that every installation starts with; AUTHORITYS_CODE on the wire. */
export const ROLE = { admin: 'AUT001', hr: 'AUT002', user: 'AUT003' } as const

/** GROUP_NAME on the wire: Korean whatever the language, because the page decides by it (spec §2, §6). */
export const GROUP_NAME = { admin: '관리자', hr: '인사 관리자', user: '일반 사용자' } as const

/** Who acts: login ID and the functions of the role at this moment. */
export interface Actor {
  userId: string
  functions: readonly FunctionName[]
}

/** Whether the actor's role holds the function (decisions §5). */
export function can(actor: Actor, name: FunctionName): boolean {
  return actor.functions.includes(name)
}

/**
 * Whether the actor may read and change this account as an administrator: nobody administers the own
 * account, and 관리자 accounts are for those who hold `autho_admin_manage` (decisions §5).
 */
export function canAdminister(actor: Actor, target: { userId: string; role: string }): boolean {
  return can(actor, 'autho_user_manage') && actor.userId !== target.userId && canGrant(actor, target.role)
}

/** Whether the actor may give the role to somebody: 관리자 only by `autho_admin_manage` (decisions §5). */
export function canGrant(actor: Actor, role: string): boolean {
  return role !== ROLE.admin || can(actor, 'autho_admin_manage')
}

/** Whether the actor may edit or delete the notice: its author or `autho_notice_manage` (spec §6). */
export function canEditNotice(actor: Actor, notice: { userId: string }): boolean {
  return actor.userId === notice.userId || can(actor, 'autho_notice_manage')
}
