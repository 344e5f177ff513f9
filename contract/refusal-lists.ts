import type { ErrorCode } from './errors.ts'

// Apart from ERRORS, which the login page would load with them.

/** Refusals of a call about another user's account: the caller's own one, one out of reach, and none. */
export const UNREACHABLE = ['FORBIDDEN', 'USER_NOT_FOUND'] as const satisfies readonly ErrorCode[]

/** Refusals of a call that compares a password, after too many wrong ones (rules/account#login-lock). */
export const LOCKED = ['LOGIN_LOCKED', 'PASSWORD_DISABLED'] as const satisfies readonly ErrorCode[]
