import type { ErrorCode } from './errors.ts'

// Separate from ERRORS, because the login page would load these lists with them.

/**
 * Refusals of a call about another user's account: the caller's own account, an account outside the administration scope, and a
 * missing one.
 */
export const UNREACHABLE = ['FORBIDDEN', 'USER_NOT_FOUND'] as const satisfies readonly ErrorCode[]

/** Refusals of a call that compares a password, after too many wrong attempts (rules/account#login-lock). */
export const LOCKED = ['LOGIN_LOCKED', 'PASSWORD_DISABLED'] as const satisfies readonly ErrorCode[]
