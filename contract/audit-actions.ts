/**
 * The names of all changes in the audit log, `noun.verb`. The texts of the audit log have each name in both languages; a missing
 * one does not compile (rules/audit#actions).
 * Each action states its effect on accounts: whether it gives a user a way in or more permissions (`opens`), or takes one away
 * (`closes`). A call that writes one of these must reauthenticate (rules/account#confirmation).
 */
const EFFECTS = {
  'account.login': 'neither',
  'account.logout': 'neither',
  'account.check-password': 'neither',
  'account.check-factor': 'neither',
  'account.set-password': 'opens',
  'account.reset-password': 'opens',
  'account.end-sessions': 'closes',
  'account.export': 'neither',
  'account.session-ended': 'closes',
  'account.sign-up': 'opens',
  'account.change-email': 'opens',
  'account.accept-invitation': 'opens',
  'account.add-factor': 'opens',
  'account.rename-factor': 'neither',
  'account.remove-factor': 'opens',
  'account.factor-cloned': 'neither',
  'account.renew-codes': 'opens',
  'account.link': 'opens',
  'account.unlink': 'closes',
  'account.remove-device': 'closes',
  'account.accept-privacy': 'neither',
  'user.register': 'opens',
  'user.import': 'opens',
  'user.approve': 'opens',
  'user.refuse': 'closes',
  'user.approve-affiliation': 'neither',
  'user.refuse-affiliation': 'neither',
  'user.cancel-affiliation': 'neither',
  'user.update': 'opens',
  'user.share': 'neither',
  'user.extend': 'opens',
  'user.suspend': 'closes',
  'user.lift': 'opens',
  'user.withdraw': 'closes',
  'user.unlock': 'opens',
  'user.reset-password': 'opens',
  'user.end-sessions': 'closes',
  'user.ask-factor-reset': 'opens',
  'user.withdraw-factor-reset': 'closes',
  'user.confirm-factor-reset': 'opens',
  'user.refuse-factor-reset': 'closes',
  'user.invite': 'opens',
  'user.request-email': 'opens',
  'user.remove': 'closes',
  'user.restore': 'opens',
  'user.export': 'neither',
  'setting.update': 'closes',
  'setting.test-mail': 'neither',
  'setting.mail-template': 'neither',
  'setting.setup': 'neither',
  'setting.retention': 'neither',
  'setting.law': 'neither',
  'setting.privacy': 'neither',
  'setting.sso': 'opens',
  'setting.try-sso': 'neither',
  'scim.token': 'opens',
  'scim.end-token': 'closes',
  'scim.update': 'neither',
  'scim.adopt': 'opens',
  'scim.group': 'neither',
  'scim.stop': 'neither',
  'scim.release': 'closes',
  'role.create': 'neither',
  'role.rename': 'neither',
  'role.grant': 'opens',
  'role.revoke': 'closes',
  'role.remove': 'closes',
  'affiliation.create': 'neither',
  'affiliation.import': 'neither',
  'affiliation.rename': 'neither',
  'affiliation.parent': 'opens',
  'affiliation.order': 'neither',
  'affiliation.close': 'neither',
  'affiliation.reopen': 'neither',
  'affiliation.default': 'neither',
  'affiliation.partner': 'neither',
  'team.create': 'neither',
  'team.update': 'neither',
  'team.delete': 'neither',
  'partner.create': 'neither',
  'partner.update': 'neither',
  'partner.stop': 'closes',
  'partner.resume': 'opens',
  'partner.delete': 'neither',
  'partner.export': 'neither',
  'key.issue': 'neither',
  'key.revoke': 'neither',
  'key.export': 'neither',
  'service.create': 'opens',
  'service.roll': 'opens',
  'service.revoke': 'closes',
  'program.register': 'opens',
  'program.update': 'opens',
  'program.remove': 'closes',
  'program.create': 'opens',
  'program.roll': 'opens',
  'program.revoke': 'closes',
  'program.end': 'closes',
  'program.network': 'neither',
  'webhook.create': 'neither',
  'webhook.update': 'neither',
  'webhook.roll': 'neither',
  'webhook.delete': 'neither',
  'webhook.resend': 'neither',
  'webhook.stop': 'neither',
  'notice.create': 'neither',
  'notice.update': 'neither',
  'notice.delete': 'neither',
  'notice.confirm': 'neither',
  'notice.unread': 'neither',
  'notice.remind': 'neither',
  'notice.comment': 'neither',
  'notice.comment-edit': 'neither',
  'notice.comment-delete': 'neither',
  'file.upload': 'neither',
  'file.delete': 'neither',
  'file.quarantine': 'neither',
  'audit.export': 'neither',
  'access.accept': 'neither',
  'access.annotate': 'neither',
  'access.export': 'neither',
  'access.inspect': 'neither',
  'access.remark': 'neither',
  'access.sign': 'neither',
  'access.rules': 'neither',
  'leak.create': 'neither',
  'leak.update': 'neither',
  'leak.search': 'neither',
  'leak.record': 'neither',
  'leak.export': 'neither',
  'review.take': 'neither',
  'review.confirm': 'neither',
  'review.sign': 'neither',
  // Attempts that were refused (rules/audit#refusals).
  'refusal.login': 'neither',
  'refusal.lock': 'neither',
  'refusal.password': 'neither',
  'refusal.code': 'neither',
  'refusal.rights': 'neither',
  'refusal.raise': 'neither',
  'refusal.limit': 'neither',
  'refusal.export': 'neither',
  'refusal.input': 'neither',
} as const satisfies Record<`${string}.${string}`, 'opens' | 'closes' | 'neither'>

/** The name of a change in the audit log. */
export type AuditAction = keyof typeof EFFECTS

/** Every action, in the order of the filter, refusals last. */
export const AUDIT_ACTIONS = Object.keys(EFFECTS) as AuditAction[]

/** An action that gives a user a way into an account or more permissions. */
export type OpeningAction = {
  [Action in AuditAction]: (typeof EFFECTS)[Action] extends 'opens' ? Action : never
}[AuditAction]

/** Every action that gives a user a way into an account or more permissions. */
export const OPENING_ACTIONS = AUDIT_ACTIONS.filter((action) => EFFECTS[action] === 'opens')

/** An action that gives a user a way into an account or more permissions, or takes one away. */
export type AccountAction = {
  [Action in AuditAction]: (typeof EFFECTS)[Action] extends 'neither' ? never : Action
}[AuditAction]

/**
 * The value of the filter of the audit log for every action that grants, changes or revokes permissions
 * (rules/audit#rights). No action has this name.
 */
export const RIGHTS = 'rights'

/** The part of an action's name before the dot: the kind of its record. */
export type AuditNoun = AuditAction extends `${infer Noun}.${string}` ? Noun : never

/** The nouns of all actions; a search can filter by one. */
export const AUDIT_NOUNS = [...new Set(AUDIT_ACTIONS.map((action) => action.split('.')[0] as AuditNoun))]
