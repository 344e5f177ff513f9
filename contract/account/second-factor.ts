import * as z from 'zod/mini'
import { endpoint, LOGIN_LIMIT, USUAL_LIMIT } from '../endpoint.ts'
import { flag, line } from '../text-fields.ts'
import { passkey, passkeyProof } from './passkeys.ts'
import { ACCOUNT_REFUSALS, sessionUid, SSO_REFUSALS, ssoTicket } from './session.ts'

/** The second factors that finish a login after the password (rules/account#second-factor). */
export const FACTOR = { totp: 'TOTP', passkey: 'PASSKEY', recovery: 'RECOVERY' } as const

/** A value of `FACTOR`. */
export type Factor = (typeof FACTOR)[keyof typeof FACTOR]

/** The number of recovery codes in a set (rules/account#recovery-codes). */
export const RECOVERY_CODES = 10

/** Seconds for which a login waits for its second factor (rules/account#second-factor). */
export const TICKET_SECONDS = 300

/** Days for which a trusted device is not asked for a second factor (rules/account#trusted-devices). */
export const TRUST_DAYS = 30

/** The most trusted devices of a user. */
export const TRUSTED_DEVICES_MAX = 10

/** The audit log's name of a trusted device, which replaced the second factor of a login. */
export const TRUSTED_DEVICE = 'DEVICE'

/** Days after a reset of the second factors in which only the user may change email and password (rules/users#hold-after-reset). */
export const FACTOR_HOLD_DAYS = 3

/** Schema of the six digits that an app shows ('totpFormat'). Removes blanks between them. */
export const totpCode = z.string({ error: 'notText' }).check(
  z.overwrite((text) => text.replaceAll(/\s/g, '')),
  z.minLength(1, 'required'),
  z.regex(/^[0-9]{6}$/, 'totpFormat'),
)

/** The fields of a second factor that the caller submits. */
const given = {
  factor: z.enum(Object.values(FACTOR), 'codeFormat'),
  /** The six digits, the recovery code, or the passkey's response: AuthenticationResponseJSON of WebAuthn. */
  proof: passkeyProof,
}

/** Errors of a rejected second factor. */
const WRONG_FACTOR = [
  'SECOND_FACTOR_WRONG',
  'PASSKEY_INVALID',
  'PASSKEY_CLONED',
  'SECOND_FACTOR_LOCKED',
] as const

/** The factors that a user may use. */
const ways = z.object({
  factors: z.array(z.enum(Object.values(FACTOR))),
  /** PublicKeyCredentialRequestOptions of WebAuthn, as JSON; empty if the user cannot use a passkey. */
  passkeyOptions: z.string(),
  /** The address at which passkeys work, `https://…`; empty if they work nowhere. */
  passkeysAt: z.string(),
})

/**
 * Finishes a login that returned `SECOND_FACTOR_REQUIRED`, and begins the session. The ticket is valid only in the
 * browser and network that received it: TICKET_INVALID otherwise, and after TICKET_SECONDS. A wrong factor is
 * SECOND_FACTOR_WRONG or PASSKEY_INVALID, and SECOND_FACTOR_LOCKED after too many; PASSKEY_CLONED for a passkey that
 * may be copied.
 */
export const finishLogin = endpoint({
  path: '/stm/v1/chk/factor',
  summary: 'Log in with the second factor',
  title: { ko: '2단계 인증으로 로그인', en: 'Logged in with the second factor' },
  access: 'public',
  input: z.strictObject({
    ticket: line(100),
    ...given,
    /** True to ask this browser for no second factor for TRUST_DAYS. Ignored where `readLogin` returns no `mayTrustDevice`. */
    trustDevice: z.optional(flag),
    /** The ticket that the login had, if any. */
    ssoTicket: z.optional(ssoTicket),
  }),
  output: z.object({
    sessionUid,
    userId: z.string(),
    mustChangePassword: flag,
    mustSetUpFactor: flag,
    mustAcceptPrivacy: flag,
  }),
  errors: ['TICKET_INVALID', ...WRONG_FACTOR, ...ACCOUNT_REFUSALS, ...SSO_REFUSALS],
  audit: 'account.login',
  personal: ['login', 'told'],
  duringFullDisk: true,
  limit: LOGIN_LIMIT,
})

/**
 * Returns the factors that may finish a login that returned `SECOND_FACTOR_REQUIRED`; TICKET_INVALID for an expired
 * ticket. Each call returns a new challenge for a passkey.
 */
export const readLogin = endpoint({
  path: '/stm/v1/get/login',
  summary: 'List the second factors of a login',
  access: 'public',
  input: z.strictObject({ ticket: line(100) }),
  output: z.extend(ways, {
    /** True if the role of the user lets them trust this device. */
    mayTrustDevice: flag,
  }),
  errors: ['TICKET_INVALID'],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
  duringFullDisk: true,
  limit: LOGIN_LIMIT,
})

/**
 * Reauthenticates by the second factor (rules/account#confirmation). FACTOR_NOT_FOUND for a user who has none; SESSION_REQUIRED if
 * too many wrong ones have ended the session.
 */
export const checkFactor = endpoint({
  path: '/stm/v1/check/factor',
  summary: 'Enter your second factor again',
  title: { ko: '2단계 인증 재확인', en: 'Confirmed the second factor again' },
  access: 'signed-in',
  input: z.strictObject(given),
  errors: ['SECOND_FACTOR_WRONG', 'PASSKEY_INVALID', 'PASSKEY_CLONED', 'FACTOR_NOT_FOUND'],
  audit: 'account.check-factor',
  personal: ['login', 'own'],
  duringFullDisk: true,
  limit: USUAL_LIMIT,
  duringPasswordChange: true,
})

/** Returns the factors with which the caller can reauthenticate; none means by password. */
export const readCheck = endpoint({
  path: '/stm/v1/get/check',
  summary: 'Read how to reauthenticate',
  access: 'signed-in',
  output: z.extend(ways, {
    /** Identity providers by which a user without a password can reauthenticate (rules/sso#reauthentication). */
    providers: z.array(z.object({ providerId: z.string(), providerName: z.string() })),
  }),
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
  duringFullDisk: true,
  duringPasswordChange: true,
})

/**
 * Returns the caller's second factors: the authenticator app, the passkeys, and the number of unused recovery codes.
 * Never returns a secret.
 */
export const getFactors = endpoint({
  path: '/stm/v1/get/factors',
  summary: 'List my second factors',
  title: { ko: '내 2단계 인증 조회', en: 'Viewed their second factors' },
  access: 'signed-in',
  output: z.object({
    /** Time since which an authenticator app is set up; empty without one. */
    totpSince: z.string(),
    /** Empty if it was never used. */
    totpLastUsedAt: z.string(),
    /** The address at which passkeys work, `https://…`; empty if they work nowhere. */
    passkeysAt: z.string(),
    passkeys: z.array(passkey),
    /** The number of unused recovery codes. */
    codesLeft: z.number(),
    codesSince: z.string(),
  }),
  audit: 'none',
  personal: ['read', 'own'],
  duringFactorSetUp: true,
})

/**
 * Returns a new secret for an authenticator app. The app is set up when `confirmTotp` has verified a code of it, within
 * 10 minutes.
 */
export const beginTotp = endpoint({
  path: '/stm/v1/get/totp',
  summary: 'Begin to set up an authenticator app',
  title: { ko: '인증 앱 등록 시작', en: 'Began to set up an authenticator app' },
  access: 'signed-in',
  confirmed: 'gate',
  output: z.object({
    /** In base32, to be typed. */
    secret: z.string(),
    /** The same secret as `otpauth://…`, to be scanned. */
    otpauth: z.string(),
    /** The secret, encrypted for the server; the client sends it back. */
    enrolment: z.string(),
  }),
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'write',
  duringFactorSetUp: true,
})

/**
 * Sets up the app, in place of an earlier one, and notifies the user by email. Returns recovery codes, this one time,
 * if the user has none left. With the first second factor it also ends every other session. ENROLMENT_INVALID after 10
 * minutes, SECOND_FACTOR_WRONG for a wrong code.
 */
export const confirmTotp = endpoint({
  path: '/stm/v1/upd/totp',
  summary: 'Confirm an authenticator app by a code',
  title: { ko: '인증 앱 등록', en: 'Set up an authenticator app' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ enrolment: line(400), code: totpCode }),
  output: z.object({
    /** Empty if the user has recovery codes already. */
    recoveryCodes: z.array(z.string()),
  }),
  errors: ['ENROLMENT_INVALID', 'SECOND_FACTOR_WRONG'],
  audit: 'account.add-factor',
  personal: ['change', 'own'],
  limit: USUAL_LIMIT,
  duringFactorSetUp: true,
})

/**
 * Removes the caller's app and notifies the caller by email; FACTOR_NOT_FOUND without one. With the last second factor
 * the recovery codes are removed too; FACTOR_NEEDED if the role requires one.
 */
export const removeTotp = endpoint({
  path: '/stm/v1/del/totp',
  summary: 'Remove the authenticator app',
  title: { ko: '인증 앱 삭제', en: 'Removed their authenticator app' },
  access: 'signed-in',
  confirmed: 'gate',
  errors: ['FACTOR_NOT_FOUND', 'FACTOR_NEEDED'],
  audit: 'account.remove-factor',
  personal: ['change', 'own'],
})

/**
 * Returns new recovery codes, this one time, revokes the previous ones, and notifies the user by email.
 * FACTOR_NOT_FOUND for a user without a second factor.
 */
export const renewRecoveryCodes = endpoint({
  path: '/stm/v1/ins/recoveryCodes',
  summary: 'Create new recovery codes',
  title: { ko: '복구 코드 재발급', en: 'Created new recovery codes' },
  access: 'signed-in',
  confirmed: 'gate',
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['FACTOR_NOT_FOUND'],
  audit: 'account.renew-codes',
  personal: ['change', 'own'],
})
