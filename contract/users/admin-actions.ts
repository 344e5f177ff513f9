import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { email, flag, timestamp, userId } from '../fields.ts'
import { accountReason } from './suspension.ts'

/** Access policy: callers with the permission to manage users. */
const manage = { function: ['autho_user_manage'] } as const

/** Schema of a time, or '' for none. */
const timeOrEmpty = z.union([z.literal(''), timestamp])

/**
 * Fields of a user record that the account card shows in addition to `accountState` (rules/users#account-state): which
 * administrator actions make sense.
 */
export const helpState = {
  /** End of the lock after wrong passwords or second factors; empty if the account is not locked. */
  lockedUntil: timeOrEmpty,
  /** True if too many consecutive wrong attempts have disabled the password (rules/account#disabled-password). */
  passwordDisabled: flag,
  /** True while the user must change a temporary password. */
  temporaryPassword: flag,
  /** Time at which it expires; empty without one, or if it does not expire. */
  temporaryUntil: timeOrEmpty,
  /** True if the user was invited and has not set a password yet. */
  invited: flag,
  /** Time until which the last invitation is valid; may be in the past. */
  invitationEnds: timeOrEmpty,
  /** The new address that its owner has not confirmed yet. */
  pendingEmail: z.string(),
  /** True if the account can be removed permanently. */
  removable: flag,
}

/**
 * Input fields that all actions on the account of another user share: the user, and the reason for the audit log ('' if
 * left out).
 */
export const accountAction = { userId, reason: accountReason }

/**
 * Removes the lock after wrong passwords or second factors, and enables a password that they disabled
 * (rules/users#unlock). Needs reauthentication, else CONFIRMATION_REQUIRED. RECORD_CHANGED if there is neither.
 * FORBIDDEN or USER_NOT_FOUND for an account that the caller may not administer.
 */
export const unlockUser = endpoint({
  path: '/stm/v1/ulk/user',
  summary: 'Unlock a user',
  title: { ko: '로그인 잠금 해제', en: 'Unlocked a login' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(accountAction),
  errors: [...UNREACHABLE, 'RECORD_CHANGED'],
  audit: 'user.unlock',
  personal: ['change', 'in.userId'],
})

/**
 * Replaces the password of a user with a temporary one, mails it to the user, and ends every session and lock
 * (rules/users#send-temporary-password). Needs reauthentication, else CONFIRMATION_REQUIRED. FACTOR_RESET_HOLD during
 * the hold after a reset of second factors; MAIL_UNAVAILABLE if no mail can be sent: the password stays then. FORBIDDEN
 * or USER_NOT_FOUND for an account that the caller may not administer.
 */
export const resetUser = endpoint({
  path: '/stm/v1/snd/password',
  summary: 'Send a temporary password',
  title: { ko: '임시 비밀번호 발송', en: 'Sent a temporary password' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(accountAction),
  errors: ['FACTOR_RESET_HOLD', ...UNREACHABLE, 'MAIL_UNAVAILABLE'],
  audit: 'user.reset-password',
  personal: ['change', 'in.userId'],
  mails: 'passwordWritten',
  perPerson: 'mail',
})

/**
 * Sends an invitation again, also an expired one, and revokes the previous one (rules/users#invitation). Needs
 * reauthentication, else CONFIRMATION_REQUIRED. RECORD_CHANGED if the user has none: it was used, or never sent.
 * FACTOR_RESET_HOLD during the hold after a reset of second factors; MAIL_UNAVAILABLE if no mail can be sent. FORBIDDEN
 * or USER_NOT_FOUND for an account that the caller may not administer.
 */
export const inviteUser = endpoint({
  path: '/stm/v1/inv/user',
  summary: 'Send an invitation again',
  title: { ko: '초대 재발송', en: 'Sent an invitation again' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(accountAction),
  errors: ['FACTOR_RESET_HOLD', ...UNREACHABLE, 'RECORD_CHANGED', 'MAIL_UNAVAILABLE'],
  audit: 'user.invite',
  personal: ['change', 'in.userId'],
  mails: 'invitationWritten',
  perPerson: 'mail',
})

/**
 * Asks the owner of another address by email to confirm it for the account, and notifies the owner of the current
 * address (rules/users#e-mail-corrected). Needs reauthentication, else CONFIRMATION_REQUIRED. The email of the account
 * changes only with the confirmation. The current address cancels an open request instead. EMAIL_TAKEN if an account
 * has the address; MAIL_UNAVAILABLE if no mail can be sent; FACTOR_RESET_HOLD during the hold after a reset of second
 * factors. FORBIDDEN also for an account whose role the caller may not grant.
 */
export const requestEmail = endpoint({
  path: '/stm/v1/req/email',
  summary: 'Correct the e-mail of a user, certified by its owner',
  title: { ko: '이메일 정정 요청', en: 'Requested another e-mail' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...accountAction, email }),
  errors: ['FACTOR_RESET_HOLD', ...UNREACHABLE, 'EMAIL_TAKEN', 'MAIL_UNAVAILABLE'],
  audit: 'user.request-email',
  personal: ['change', 'in.userId'],
  mails: 'mailWritten',
  perPerson: 'mail',
})

/**
 * Deletes the row of an account that was never approved; its ID is free again (rules/users#removal). Needs
 * reauthentication, else CONFIRMATION_REQUIRED. USER_NOT_REMOVABLE if it was approved once, or if a key, a notice, or
 * an open or approved request refers to it. A rejected request does not prevent it. FORBIDDEN or USER_NOT_FOUND for an
 * account that the caller may not administer.
 */
export const removeUser = endpoint({
  path: '/stm/v1/rmv/user',
  summary: 'Remove an account that was never approved',
  title: { ko: '미승인 계정 삭제', en: 'Deleted an unapproved account' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(accountAction),
  errors: [...UNREACHABLE, 'USER_NOT_REMOVABLE'],
  audit: 'user.remove',
  personal: ['change', 'told', 'in.userId'],
})
