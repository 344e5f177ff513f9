import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from './endpoint.ts'
import { LOCKED } from './refusal-lists.ts'
import {
  anyPassword,
  certificationCode,
  email,
  flag,
  line,
  newPassword,
  anyPhoneNumber,
  recordId,
  timestamp,
  userId,
  code,
} from './fields.ts'
import { newUserId } from './reserved-names.ts'
import { privacyVersion } from './account/privacy.ts'
import { sessionUid, ssoTicket } from './account/session.ts'

export * from './account/email.ts'
export * from './account/links.ts'
export * from './account/passkeys.ts'
export * from './account/privacy.ts'
export * from './account/second-factor.ts'
export * from './account/session.ts'

/** Seconds for which a verification code is valid (rules/account#certification-code). */
export const CERTIFY_SECONDS = 300

/** The most attempts to enter a verification code (rules/account#certification-code). */
export const CERTIFY_TRIES = 5

/** The purposes of an email verification (rules/account#certification-types). */
export const CERTIFY_TYPE = { signUp: 'TYP001', findId: 'TYP002', resetPassword: 'TYP003' } as const

/**
 * Checks whether a user ID is free (rules/account#id-check): USER_ID_TAKEN if not. Withdrawn accounts keep theirs, and
 * users their previous ones. Reserves nothing.
 */
export const checkId = endpoint({
  path: '/stm/v1/check/id',
  summary: 'Check whether a user ID is free',
  access: 'public',
  input: z.strictObject({ userId: newUserId }),
  errors: ['USER_ID_TAKEN'],
  audit: 'none',
  personal: 'none',
  limit: USUAL_LIMIT,
})

/**
 * Emails a verification code: 6 digits, valid for 300 seconds, bound to type, email and user ID
 * (rules/account#certification-code). The response is the same whether or not an account has the email. To find an ID
 * or reset a password, only a matching account gets the mail; for a sign-up its user gets a hint instead.
 * MAIL_UNAVAILABLE while the mail server is unavailable, TOO_MANY_TRIES for too many codes.
 */
export const certifyEmail = endpoint({
  path: '/stm/v1/email/certify',
  summary: 'Send a certification code',
  access: 'public',
  input: z
    .strictObject({
      email,
      certificationType: z.enum(Object.values(CERTIFY_TYPE), 'codeFormat'),
      userId: z.optional(userId),
      /** Has no effect; may be empty. */
      phoneNumber: z.optional(z.union([z.literal(''), anyPhoneNumber], { error: 'phoneNumberFormat' })),
    })
    .check(
      z.refine(
        (request) => request.certificationType === CERTIFY_TYPE.findId || request.userId !== undefined,
        {
          error: 'required',
          path: ['userId'],
        },
      ),
    ),
  errors: ['MAIL_UNAVAILABLE', 'TOO_MANY_TRIES'],
  limit: USUAL_LIMIT,
  audit: 'none',
  personal: 'none',
  mails: 'codeWritten',
  perPerson: 'mail',
})

/**
 * Requests an account, which waits for approval (rules/account#sign-up). With an `ssoTicket` it is linked with the
 * identity, and may need no approval. Uses the verification code up: CERTIFICATION_FAILED for a wrong one, and if the
 * email is in use. CODE_NOT_FOUND or AFFILIATION_CLOSED for the affiliation, PRIVACY_NOTICE_CHANGED unless the current
 * privacy notice is accepted.
 */
export const signUp = endpoint({
  path: '/stm/v1/signup',
  summary: 'Request an account',
  title: { ko: '회원가입 신청', en: 'Requested an account' },
  access: 'public',
  input: z.strictObject({
    userId: newUserId,
    password: newPassword,
    affiliationCode: code,
    position: line(50),
    name: line(50),
    phoneNumber: anyPhoneNumber,
    email,
    certificationType: z.literal(CERTIFY_TYPE.signUp, 'codeFormat'),
    certificationCode,
    ssoTicket: z.optional(ssoTicket),
    /** Version of the privacy notice that the applicant accepts; required if there is one (rules/account#privacy-acceptance). */
    privacyVersion: z.optional(privacyVersion),
  }),
  errors: [
    'CERTIFICATION_FAILED',
    'SSO_STATE_INVALID',
    'SSO_EMAIL_DIFFERS',
    'SSO_TAKEN',
    'USER_ID_TAKEN',
    'CODE_NOT_FOUND',
    'AFFILIATION_CLOSED',
    'PASSWORD_COMMON',
    'PASSWORD_PERSONAL',
    'PRIVACY_NOTICE_CHANGED',
  ],
  audit: 'account.sign-up',
  personal: ['change', 'in.userId'],
  message: 'signUp',
  limit: { points: 20, seconds: 60 },
})

/**
 * Returns the user ID of a verified email, and uses the code up (rules/account#find-id). CERTIFICATION_FAILED for a
 * wrong code, and if no account has the email.
 */
export const findId = endpoint({
  path: '/stm/v1/find/id',
  summary: 'Find the user ID of a certified e-mail',
  title: { ko: '아이디 찾기', en: 'Found the user ID' },
  access: 'public',
  input: z.strictObject({
    email,
    certificationType: z.literal(CERTIFY_TYPE.findId, 'codeFormat'),
    certificationCode,
  }),
  output: z.object({ userId: z.string() }),
  errors: ['CERTIFICATION_FAILED'],
  audit: 'none',
  personal: ['read', 'out.userId'],
  perPerson: 'write',
  limit: { points: 20, seconds: 60 },
})

/**
 * Emails a temporary password, which the user must change at the next login (rules/account#reset-password). Ends every
 * session and removes the lock after wrong passwords. CERTIFICATION_FAILED for a wrong code, and if ID and email are
 * not of one account. FACTOR_RESET_HOLD in the days after a reset of the second factors, ACCOUNT_SUSPENDED_BY_HAND if
 * an administrator has suspended the account.
 */
export const resetPassword = endpoint({
  path: '/stm/v1/reset/password',
  summary: 'Send a temporary password to a certified e-mail',
  title: { ko: '비밀번호 재설정', en: 'Reset the password' },
  access: 'public',
  input: z.strictObject({
    userId,
    email,
    certificationType: z.literal(CERTIFY_TYPE.resetPassword, 'codeFormat'),
    certificationCode,
  }),
  errors: ['CERTIFICATION_FAILED', 'MAIL_UNAVAILABLE', 'FACTOR_RESET_HOLD', 'ACCOUNT_SUSPENDED_BY_HAND'],
  audit: 'account.reset-password',
  personal: ['change', 'in.userId'],
  mails: 'passwordWritten',
  perPerson: 'mail',
  message: 'resetPassword',
  limit: { points: 20, seconds: 60 },
})

/**
 * Opens the caller's own record for 10 minutes in this session, by password re-entry (rules/account#password-gate).
 * PASSWORD_WRONG counts as a failed login: LOGIN_LOCKED or PASSWORD_DISABLED after too many.
 */
export const checkPassword = endpoint({
  path: '/stm/v1/check/password',
  summary: 'Enter your password again',
  title: { ko: '비밀번호 재확인', en: 'Entered the password again' },
  access: 'signed-in',
  input: z.strictObject({ password: anyPassword }),
  errors: ['PASSWORD_WRONG', ...LOCKED],
  audit: 'account.check-password',
  personal: ['login', 'own'],
  duringFullDisk: true,
  limit: USUAL_LIMIT,
  duringFactorSetUp: true,
})

/**
 * Changes the caller's own password (rules/account#password-change). Ends every session, this one too, and returns a
 * new one. The owner is notified by email. The current password may be left out within `CONFIRMATION_MINUTES` after the
 * login with a temporary one (rules/account#temporary-password-once); otherwise it is PASSWORD_NEEDED. PASSWORD_REUSED
 * for one of the last three, PASSWORD_COMMON and PASSWORD_PERSONAL for a weak one.
 */
export const setPassword = endpoint({
  path: '/stm/v1/set/password',
  summary: 'Change your password',
  title: { ko: '비밀번호 변경', en: 'Changed the password' },
  access: 'signed-in',
  confirmed: 'password',
  input: z.strictObject({ currentPassword: z.optional(anyPassword), newPassword }),
  output: z.object({ sessionUid }),
  errors: [
    'PASSWORD_NEEDED',
    'PASSWORD_WRONG',
    ...LOCKED,
    'PASSWORD_REUSED',
    'PASSWORD_COMMON',
    'PASSWORD_PERSONAL',
  ],
  audit: 'account.set-password',
  personal: ['change', 'own'],
  duringFullDisk: true,
  limit: USUAL_LIMIT,
  duringPasswordChange: true,
})

/** Lists the caller's active sessions, this one first, then by last use, and trusted devices (rules/account#devices). */
export const listSessions = endpoint({
  path: '/stm/v1/get/sessions',
  summary: 'List my devices',
  title: { ko: '내 기기 목록 조회', en: 'Viewed their devices' },
  access: 'signed-in',
  output: z.object({
    sessions: z.array(
      z.object({
        /** True if it is the session of this call. */
        current: flag,
        /** Browser and system, as the browser names them; '' if it does not. */
        device: z.string(),
        address: z.string(),
        loggedInAt: timestamp,
        /** Rounded to half a minute. */
        lastUsedAt: timestamp,
      }),
    ),
    /** The devices on which a login needs no second factor, the newest first (rules/account#trusted-devices). */
    trustedDevices: z.array(
      z.object({
        deviceId: z.string(),
        /** True for the browser of this call. */
        current: flag,
        device: z.string(),
        address: z.string(),
        createdAt: timestamp,
        expiresAt: timestamp,
        lastUsedAt: timestamp,
      }),
    ),
  }),
  audit: 'none',
  personal: ['read', 'own'],
})

/**
 * Removes a trusted device of the caller: its next login needs the second factor again. DEVICE_NOT_FOUND if the caller
 * has no such device.
 */
export const removeDevice = endpoint({
  path: '/stm/v1/del/device',
  summary: 'Remove a trusted device',
  title: { ko: '신뢰하는 기기 삭제', en: 'Removed a trusted device' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ deviceId: recordId }),
  errors: ['DEVICE_NOT_FOUND'],
  audit: 'account.remove-device',
  personal: ['change', 'own'],
})

/**
 * Ends all sessions of the caller but this one, the trusted devices, waiting logins and requested email corrections.
 * Needs the password re-entry, as does every change of the own account.
 */
export const endOtherSessions = endpoint({
  path: '/stm/v1/del/sessions',
  summary: 'Log my other devices out',
  title: { ko: '다른 기기 로그아웃', en: 'Logged other devices out' },
  access: 'signed-in',
  confirmed: 'gate',
  output: z.object({ endedCount: z.number() }),
  audit: 'account.end-sessions',
  personal: ['change', 'own'],
  duringFullDisk: true,
})
