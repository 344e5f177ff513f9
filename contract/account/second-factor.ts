import * as z from 'zod/mini'
import { endpoint, LOGIN_LIMIT, USUAL_LIMIT } from '../endpoint.ts'
import { flag, line } from '../text-fields.ts'
import { passkey, passkeyProof } from './passkeys.ts'
import { ACCOUNT_REFUSALS, sessionUid } from './session.ts'

/** By what a login is finished after the password (rules/account#second-factor). */
export const FACTOR = { totp: 'TOTP', passkey: 'PASSKEY', recovery: 'RECOVERY' } as const

/** One of them. */
export type Factor = (typeof FACTOR)[keyof typeof FACTOR]

/** How many recovery codes there are in a set (rules/account#recovery-codes). */
export const RECOVERY_CODES = 10

/** How long a login waits for its second factor (rules/account#second-factor). */
export const TICKET_SECONDS = 300

/** Days after a reset of the second factors in which only the user changes e-mail and password (rules/users#hold-after-reset). */
export const FACTOR_HOLD_DAYS = 3

/** What an app shows: six digits, whatever blanks were typed between them. */
export const totpCode = z.string({ error: 'notText' }).check(
  z.overwrite((text) => text.replaceAll(/\s/g, '')),
  z.minLength(1, 'required'),
  z.regex(/^[0-9]{6}$/, 'totpFormat'),
)

/** A second factor that the caller gives. */
const given = {
  factor: z.enum(Object.values(FACTOR), 'codeFormat'),
  /** The six digits, the recovery code, or what the passkey answered: AuthenticationResponseJSON of WebAuthn. */
  proof: passkeyProof,
}

/** Why it is refused. */
const WRONG_FACTOR = [
  'SECOND_FACTOR_WRONG',
  'PASSKEY_INVALID',
  'PASSKEY_CLONED',
  'SECOND_FACTOR_LOCKED',
] as const

/** The factors that a user can give. */
const ways = z.object({
  factors: z.array(z.enum(Object.values(FACTOR))),
  /** PublicKeyCredentialRequestOptions of WebAuthn, as JSON; empty where no passkey is of use. */
  passkeyOptions: z.string(),
  /** Where passkeys can be used, `https://…`; empty: nowhere. */
  passkeysAt: z.string(),
})

/**
 * Finishes a login that was answered `SECOND_FACTOR_REQUIRED`: no session begins before. The ticket is good in the browser and network
 * that it was given to alone.
 */
export const finishLogin = endpoint({
  path: '/stm/v1/chk/factor',
  summary: 'Log in with the second factor',
  title: { ko: '2단계 인증으로 로그인', en: 'Logged in with the second factor' },
  access: 'public',
  input: z.strictObject({ ticket: line(100), ...given }),
  output: z.object({ sessionUid, userId: z.string(), mustChangePassword: flag, mustSetUpFactor: flag }),
  errors: ['TICKET_INVALID', ...WRONG_FACTOR, ...ACCOUNT_REFUSALS],
  audit: 'account.login',
  personal: ['login', 'told'],
  perPerson: 'write',
  duringFullDisk: true,
  limit: LOGIN_LIMIT,
})

/** What a login that was answered `SECOND_FACTOR_REQUIRED` may be finished with; a passkey has to sign something else with each call. */
export const readLogin = endpoint({
  path: '/stm/v1/get/login',
  summary: 'What a login may be finished with',
  access: 'public',
  input: z.strictObject({ ticket: line(100) }),
  output: ways,
  errors: ['TICKET_INVALID'],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
  duringFullDisk: true,
  limit: LOGIN_LIMIT,
})

/**
 * Reauthenticates by the second factor (rules/account#confirmation). FACTOR_NOT_FOUND for a user who has none, and SESSION_REQUIRED when
 * too many wrong ones have ended the session.
 */
export const checkFactor = endpoint({
  path: '/stm/v1/check/factor',
  summary: 'Enter your second factor again',
  title: { ko: '2단계 인증 재확인', en: 'Gave the second factor again' },
  access: 'signed-in',
  input: z.strictObject(given),
  output: z.object({}),
  errors: ['SECOND_FACTOR_WRONG', 'PASSKEY_INVALID', 'PASSKEY_CLONED', 'FACTOR_NOT_FOUND'],
  audit: 'account.check-factor',
  personal: ['login', 'own'],
  perPerson: 'write',
  duringFullDisk: true,
  limit: USUAL_LIMIT,
  duringPasswordChange: true,
})

/** The ways in which the caller can reauthenticate: the second factors, or none for the password. */
export const readCheck = endpoint({
  path: '/stm/v1/get/check',
  summary: 'How to confirm who I am',
  access: 'signed-in',
  input: z.strictObject({}),
  output: ways,
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
  duringFullDisk: true,
  duringPasswordChange: true,
})

/** The caller's second factors. */
export const getFactors = endpoint({
  path: '/stm/v1/get/factors',
  summary: 'My second factors',
  title: { ko: '내 2단계 인증 보기', en: 'Looked at their second factors' },
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({
    /** Since when an authenticator app is set up; empty: none is. */
    totpSince: z.string(),
    /** Empty: never. */
    totpLastUsedAt: z.string(),
    /** Where passkeys can be used, `https://…`; empty: nowhere. */
    passkeysAt: z.string(),
    passkeys: z.array(passkey),
    /** Of the recovery codes, how many are left, and since when there are these; empty: there are none. */
    codesLeft: z.number(),
    codesSince: z.string(),
  }),
  errors: [],
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'read',
  duringFactorSetUp: true,
})

/** Draws a secret for an authenticator app. It counts once `confirmTotp` has seen a code of it, within 10 minutes. */
export const beginTotp = endpoint({
  path: '/stm/v1/get/totp',
  summary: 'Begin to set up an authenticator app',
  title: { ko: '인증 앱 등록 시작', en: 'Began to set up an authenticator app' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({}),
  output: z.object({
    /** In base32, to be typed. */
    secret: z.string(),
    /** The same as `otpauth://…`, to be scanned. */
    otpauth: z.string(),
    /** The secret as only the server can read it, to be sent back. */
    enrolment: z.string(),
  }),
  errors: [],
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'write',
  duringFactorSetUp: true,
})

/** Sets the app up, in the place of one that there was; with the first second factor come recovery codes, once. */
export const confirmTotp = endpoint({
  path: '/stm/v1/upd/totp',
  summary: 'Confirm an authenticator app by a code',
  title: { ko: '인증 앱 등록', en: 'Set up an authenticator app' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ enrolment: line(400), code: totpCode }),
  output: z.object({
    /** Empty where there are some already. */
    recoveryCodes: z.array(z.string()),
  }),
  errors: ['ENROLMENT_INVALID', 'SECOND_FACTOR_WRONG'],
  audit: 'account.add-factor',
  personal: ['change', 'own'],
  perPerson: 'write',
  limit: USUAL_LIMIT,
  duringFactorSetUp: true,
})

/** Removes the app; with the last second factor go the recovery codes. */
export const removeTotp = endpoint({
  path: '/stm/v1/del/totp',
  summary: 'Remove the authenticator app',
  title: { ko: '인증 앱 삭제', en: 'Removed their authenticator app' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({}),
  output: z.object({}),
  errors: ['FACTOR_NOT_FOUND', 'FACTOR_NEEDED'],
  audit: 'account.remove-factor',
  personal: ['change', 'own'],
  perPerson: 'write',
})

/** Gives new recovery codes, once; those before end. */
export const renewRecoveryCodes = endpoint({
  path: '/stm/v1/ins/recoveryCodes',
  summary: 'Make new recovery codes',
  title: { ko: '복구 코드 재발급', en: 'Made new recovery codes' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({}),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['FACTOR_NOT_FOUND'],
  audit: 'account.renew-codes',
  personal: ['change', 'own'],
  perPerson: 'write',
})
