import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { email, flag, timestamp, userId } from '../fields.ts'
import { accountReason } from './suspension.ts'

const manage = { function: ['autho_user_manage'] } as const

const timeOrEmpty = z.union([z.literal(''), timestamp])

/** What the card 'account' shows beside `accountState` (rules/users#account-state). */
export const helpState = {
  /** Wrong passwords or second factors lock the account until then; empty when they do not. */
  lockedUntil: timeOrEmpty,
  /** Too many wrong ones in a row have disabled the password (rules/account#disabled-password). */
  passwordDisabled: flag,
  /** A temporary password waits to be changed. */
  temporaryPassword: flag,
  /** When it ends; empty without one, or when it does not end. */
  temporaryUntil: timeOrEmpty,
  /** The owner was invited and has not made a password yet. */
  invited: flag,
  /** Until when the last invitation is good, also in the past. */
  invitationEnds: timeOrEmpty,
  /** The address that waits for its owner to confirm it. */
  pendingEmail: z.string(),
  /** Whether it can be removed for good. */
  removable: flag,
}

/** Whose account is helped, and why. */
export const helped = { userId, reason: accountReason }

/** Takes the lock of wrong passwords away (rules/users#unlock). */
export const unlockUser = endpoint({
  path: '/stm/v1/ulk/user',
  summary: 'End the lock of wrong passwords',
  title: { ko: '로그인 잠금 해제', en: 'Ended a login lock' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(helped),
  output: z.object({}),
  errors: [...UNREACHABLE, 'RECORD_CHANGED'],
  audit: 'user.unlock',
  personal: ['change', 'in.userId'],
  perPerson: 'write',
})

/** Mails a temporary password to the owner and ends every session (rules/users#reset-sent). */
export const resetUser = endpoint({
  path: '/stm/v1/snd/password',
  summary: 'Send a temporary password',
  title: { ko: '임시 비밀번호 발송', en: 'Sent a temporary password' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(helped),
  output: z.object({}),
  errors: ['FACTOR_RESET_HOLD', ...UNREACHABLE, 'MAIL_UNAVAILABLE'],
  audit: 'user.reset-password',
  personal: ['change', 'in.userId'],
  mails: 'passwordWritten',
  perPerson: 'mail',
})

/** Sends an invitation again; the one before is over (rules/users#invitation). */
export const inviteUser = endpoint({
  path: '/stm/v1/inv/user',
  summary: 'Send an invitation again',
  title: { ko: '초대 다시 보내기', en: 'Sent an invitation again' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(helped),
  output: z.object({}),
  errors: ['FACTOR_RESET_HOLD', ...UNREACHABLE, 'RECORD_CHANGED', 'MAIL_UNAVAILABLE'],
  audit: 'user.invite',
  personal: ['change', 'in.userId'],
  mails: 'invitationWritten',
  perPerson: 'mail',
})

/** Asks the owner of another address to confirm it as the account's (rules/users#e-mail-corrected). */
export const requestEmail = endpoint({
  path: '/stm/v1/req/email',
  summary: 'Correct the e-mail of a user, certified by its owner',
  title: { ko: '이메일 정정 요청', en: 'Asked for another e-mail' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...helped, email }),
  output: z.object({}),
  errors: ['FACTOR_RESET_HOLD', ...UNREACHABLE, 'EMAIL_TAKEN', 'MAIL_UNAVAILABLE'],
  audit: 'user.request-email',
  personal: ['change', 'in.userId'],
  mails: 'mailWritten',
  perPerson: 'mail',
})

/** Removes an account that nobody ever approved, for good; its ID is free again (rules/users#removal). */
export const removeUser = endpoint({
  path: '/stm/v1/rmv/user',
  summary: 'Remove an account that was never approved',
  title: { ko: '미승인 계정 삭제', en: 'Removed an unapproved account' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(helped),
  output: z.object({}),
  errors: [...UNREACHABLE, 'USER_NOT_REMOVABLE'],
  audit: 'user.remove',
  personal: ['change', 'told', 'in.userId'],
  perPerson: 'write',
})
