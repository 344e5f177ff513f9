import * as z from 'zod/mini'
import { endpoint, LOGIN_LIMIT } from '../endpoint.ts'
import { LOCKED } from '../refusal-lists.ts'
import { anyPassword, flag, line } from '../text-fields.ts'

/** The number of wrong passwords in a row that locks the ID, and for how many seconds (rules/account#login-lock). */
export const LOGIN_LOCK = { failures: 5, seconds: 15 * 60 } as const

/** Schema of a sessionUid: 256 random bits as base64url (rules/account#session). */
export const sessionUid = z.string()

/** The errors for an account that may not log in today, or from this address, although the user has proved the identity. */
export const ACCOUNT_REFUSALS = [
  'ACCOUNT_NOT_APPROVED',
  'ACCOUNT_NOT_YET_VALID',
  'ACCOUNT_EXPIRED',
  'ACCOUNT_SUSPENDED',
  'ACCOUNT_SUSPENDED_BY_HAND',
  'ACCOUNT_WITHDRAWN',
  'TEMPORARY_PASSWORD_ENDED',
  'LOGIN_ADDRESS_REFUSED',
] as const

/** Schema of the ticket of SSO_ACCOUNT_UNKNOWN, which links the account with the identity (rules/sso#first-login). */
export const ssoTicket = line(100)

/** The errors for an account that must log in by an identity provider, and for a ticket that cannot link it. */
export const SSO_REFUSALS = ['SSO_REQUIRED', 'SSO_STATE_INVALID', 'SSO_EMAIL_DIFFERS', 'SSO_TAKEN'] as const

/**
 * Logs in: returns the session, or refuses with `SECOND_FACTOR_REQUIRED` and the ticket for `finishLogin`. LOGIN_FAILED
 * for a wrong ID or password; LOGIN_LOCKED or PASSWORD_DISABLED after too many. The refusals of the account's state
 * come only after the right password. Any text is allowed as an ID, because a format check would reveal which IDs
 * cannot exist.
 */
export const login = endpoint({
  path: '/stm/v1/login',
  summary: 'Log in',
  title: { ko: '로그인', en: 'Logged in' },
  access: 'public',
  input: z.strictObject({
    loginId: z.pipe(
      line(100),
      z.transform((id) => id.toLowerCase()),
    ),
    password: anyPassword,
    ssoTicket: z.optional(ssoTicket),
  }),
  output: z.object({
    sessionUid,
    userId: z.string(),
    /** True while the user must change a temporary password (rules/account#temporary-password). */
    mustChangePassword: flag,
    /** True while the user must set up the second factor that the role requires (rules/account#required-factor). */
    mustSetUpFactor: flag,
    /** True while the user must accept the privacy notice (rules/account#privacy-acceptance). */
    mustAcceptPrivacy: flag,
  }),
  errors: ['LOGIN_FAILED', ...LOCKED, ...ACCOUNT_REFUSALS, ...SSO_REFUSALS, 'SECOND_FACTOR_REQUIRED'],
  audit: 'account.login',
  personal: ['login', 'in.loginId', 'out.userId'],
  duringFullDisk: true,
  limit: LOGIN_LIMIT,
})

/** Ends the session of the caller, or every session on every device (rules/account#logout). */
export const logout = endpoint({
  path: '/stm/v1/logout',
  summary: 'Log out, here or on every device',
  title: { ko: '로그아웃', en: 'Logged out' },
  access: 'signed-in',
  input: z.strictObject({
    /** True to end the sessions on all devices, waiting logins and requested email corrections. */
    allDevices: z.optional(flag),
  }),
  audit: 'account.logout',
  personal: ['login', 'own'],
  duringFullDisk: true,
  duringPasswordChange: true,
})
