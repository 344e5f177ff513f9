/**
 * What the audit trail calls each change, `noun.verb`: every action that is ever written. Its words in both languages stand
 * in the texts of the trail, where a missing one does not compile (rules/audit#actions).
 */
export const AUDIT_ACTIONS = [
  'account.login',
  'account.logout',
  'account.check-password',
  'account.set-password',
  'account.reset-password',
  'account.end-sessions',
  'account.sign-up',
  'user.register',
  'user.import',
  'user.approve',
  'user.refuse',
  'user.update',
  'user.extend',
  'user.suspend',
  'user.lift',
  'user.withdraw',
  'user.restore',
  'user.export',
  'role.create',
  'role.rename',
  'role.grant',
  'role.revoke',
  'role.remove',
  'partner.create',
  'partner.update',
  'partner.delete',
  'partner.export',
  'key.issue',
  'key.revoke',
  'key.export',
  'service.create',
  'service.revoke',
  'notice.create',
  'notice.update',
  'notice.delete',
  'notice.confirm',
  'notice.remind',
  'file.upload',
  'file.delete',
] as const

/** What the audit trail calls a change. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number]
