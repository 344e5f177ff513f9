import * as z from 'zod/mini'
import { ACCOUNT_REFUSALS, sessionUid } from './account/session.ts'
import { endpoint, LOGIN_LIMIT, USUAL_LIMIT } from './endpoint.ts'
import type { ErrorCode } from './errors.ts'
import { flag, line, recordId } from './fields.ts'
import { manage, providerRef } from './sso/providers.ts'

export * from './sso/providers.ts'

/** The most identity providers (rules/sso#providers). */
export const PROVIDERS_MAX = 5

/** Seconds for which a login waits for the response of its provider (rules/sso#login). */
export const SSO_SECONDS = 600

/** Seconds for which a user without an account may request one that is linked (rules/sso#first-login). */
export const SSO_REQUEST_SECONDS = 3600

/** Path below /api at which a provider ends sessions, without the ID of the provider (rules/sso#logout-by-the-provider). */
export const BACK_CHANNEL_PATH = '/sso/v1/back-channel'

/** Random value of the browser in which a login begins; the response of the provider counts only there. */
const binding = line(100).check(z.regex(/^[\w-]{43}$/, 'codeFormat'))

/** Schema of the response of a provider: the query of the page /sso, from `code=` on. */
const answer = line(6000)

/** Output of a login that has begun at a provider. */
const begun = z.object({
  /** URL of the provider, to which the page navigates. */
  loginUrl: z.string(),
})

/** Errors of a login that cannot begin. */
const UNREADY = [
  'SSO_PROVIDER_NOT_FOUND',
  'SSO_UNAVAILABLE',
  'SSO_CLIENT_REFUSED',
  'SSO_ANSWER_INVALID',
] as const satisfies readonly ErrorCode[]

/** Errors of a response that does not prove an identity. */
const UNPROVEN = [
  'SSO_STATE_INVALID',
  'SSO_DENIED',
  'SSO_UNAVAILABLE',
  'SSO_CLIENT_REFUSED',
  'SSO_ANSWER_INVALID',
  'SSO_DOMAIN_REFUSED',
] as const satisfies readonly ErrorCode[]

/**
 * Begins a login by a provider (rules/sso#login). SSO_PROVIDER_NOT_FOUND for a disabled provider, SSO_UNAVAILABLE if it
 * does not respond.
 */
export const beginSso = endpoint({
  path: '/sso/v1/ins/login',
  summary: 'Begin a login by an identity provider',
  access: 'public',
  input: z.strictObject({ providerId: recordId, binding }),
  output: begun,
  errors: UNREADY,
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
  duringFullDisk: true,
  ownTurns: true,
  limit: LOGIN_LIMIT,
})

/**
 * Finishes a login with the response of the provider, and begins the session. SECOND_FACTOR_REQUIRED as after a
 * password (rules/sso#after-the-answer). SSO_ACCOUNT_UNKNOWN has a ticket if the user may request an account that is
 * linked (rules/sso#first-login). SSO_STATE_INVALID for an expired or used response, or another browser;
 * SSO_DOMAIN_REFUSED for another email domain.
 */
export const finishSso = endpoint({
  path: '/sso/v1/chk/login',
  summary: 'Log in with the answer of an identity provider',
  title: { ko: '통합 로그인', en: 'Logged in by single sign-on' },
  access: 'public',
  input: z.strictObject({ binding, answer }),
  output: z.object({
    sessionUid,
    userId: z.string(),
    mustChangePassword: flag,
    mustSetUpFactor: flag,
    mustAcceptPrivacy: flag,
  }),
  errors: [...UNPROVEN, 'SSO_ACCOUNT_UNKNOWN', 'LOGIN_FAILED', ...ACCOUNT_REFUSALS, 'SECOND_FACTOR_REQUIRED'],
  audit: 'account.login',
  auditsToo: ['user.update'],
  personal: ['login', 'told'],
  duringFullDisk: true,
  ownTurns: true,
  limit: LOGIN_LIMIT,
})

/**
 * Begins to reauthenticate by an identity provider, which must ask the user again (rules/sso#reauthentication). SSO_ACCOUNT_UNKNOWN for
 * a user who has a password, or no link with this provider.
 */
export const beginConfirmation = endpoint({
  path: '/sso/v1/ins/confirm',
  summary: 'Begin to reauthenticate by an identity provider',
  title: { ko: '통합 로그인으로 재확인 시작', en: 'Began to confirm by single sign-on' },
  access: 'signed-in',
  input: z.strictObject({ providerId: recordId, binding }),
  output: begun,
  errors: [...UNREADY, 'SSO_ACCOUNT_UNKNOWN'],
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'write',
  ownTurns: true,
  limit: LOGIN_LIMIT,
  duringFactorSetUp: true,
})

/**
 * Reauthenticates by the response of the provider, as the password does. SSO_CONFIRMATION_UNAVAILABLE if the provider
 * does not state that it has just authenticated the user.
 */
export const finishConfirmation = endpoint({
  path: '/sso/v1/chk/confirm',
  summary: 'Reauthenticate with the answer of an identity provider',
  title: { ko: '통합 로그인으로 재확인', en: 'Confirmed by single sign-on' },
  access: 'signed-in',
  input: z.strictObject({ binding, answer }),
  errors: [...UNPROVEN, 'SSO_ACCOUNT_UNKNOWN', 'SSO_CONFIRMATION_UNAVAILABLE'],
  audit: 'account.check-password',
  personal: ['login', 'own'],
  ownTurns: true,
  limit: LOGIN_LIMIT,
  duringFactorSetUp: true,
})

/** Returns the URL at which the page ends the session at the provider after a logout (rules/sso#logout). */
export const getProviderLogout = endpoint({
  path: '/sso/v1/get/logout',
  summary: 'Read where to log out at my identity provider',
  access: 'signed-in',
  output: z.object({
    /** URL of the provider; empty for a session that began otherwise, or if the provider has no logout. */
    logoutUrl: z.string(),
  }),
  audit: 'none',
  personal: 'none',
  ownTurns: true,
  duringPasswordChange: true,
})

/** Lists the caller's links, and the enabled providers that can be linked (rules/sso#links). */
export const listLinks = endpoint({
  path: '/sso/v1/get/links',
  summary: 'List my accounts at identity providers',
  title: { ko: '내 통합 로그인 연결 조회', en: 'Viewed their single sign-on links' },
  access: 'signed-in',
  output: z.object({
    links: z.array(
      z.object({
        providerId: z.string(),
        providerName: z.string(),
        /** Empty if the account is not linked. */
        linkedAt: z.string(),
        /** Empty if it was never used. */
        lastUsedAt: z.string(),
        /** Whether a login by it is possible now. */
        usable: flag,
      }),
    ),
  }),
  audit: 'none',
  personal: ['read', 'own'],
})

/**
 * Begins to link the caller's account with an account at a provider. Changes nothing until `finishLink`.
 * SSO_PROVIDER_NOT_FOUND for a disabled provider.
 */
export const beginLink = endpoint({
  path: '/sso/v1/ins/link',
  summary: 'Begin to link my account with an identity provider',
  title: { ko: '통합 로그인 연결 시작', en: 'Began a single sign-on link' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ providerId: recordId, binding }),
  output: begun,
  errors: UNREADY,
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'write',
  ownTurns: true,
  limit: USUAL_LIMIT,
})

/**
 * Links the caller's account with an account at a provider, and notifies the caller by email. SSO_TAKEN if the account
 * at the provider is linked with any user, also the caller, or the caller is linked with another of the same provider.
 */
export const finishLink = endpoint({
  path: '/sso/v1/chk/link',
  summary: 'Link my account with an identity provider',
  title: { ko: '통합 로그인 연결', en: 'Linked their account for single sign-on' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ binding, answer }),
  output: z.object({ providerName: z.string() }),
  errors: [...UNPROVEN, 'SSO_TAKEN'],
  audit: 'account.link',
  personal: ['change', 'own'],
  ownTurns: true,
  limit: USUAL_LIMIT,
})

/**
 * Removes a link of the caller, ends the caller's other sessions that began by it, and notifies the caller by email.
 * SSO_PROVIDER_NOT_FOUND if the caller has no such link.
 */
export const removeLink = endpoint({
  path: '/sso/v1/del/link',
  summary: 'Remove a link with an identity provider',
  title: { ko: '통합 로그인 연결 해제', en: 'Removed their single sign-on link' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ providerId: recordId }),
  errors: ['SSO_PROVIDER_NOT_FOUND'],
  audit: 'account.unlink',
  personal: ['change', 'own'],
})

/**
 * Begins a test login, which changes nothing (rules/sso#test-login). RECORD_CHANGED if the provider has changed since
 * the caller read it, ADMIN_REACH_REQUIRED for a caller who does not reach administrators, TOO_MANY_TRIES beyond
 * SSO_CHANGES.
 */
export const beginTry = endpoint({
  path: '/sso/v1/ins/try',
  summary: 'Begin a test login by an identity provider',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...providerRef, binding }),
  output: begun,
  errors: ['ADMIN_REACH_REQUIRED', 'RECORD_CHANGED', ...UNREADY, 'TOO_MANY_TRIES'],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
  ownTurns: true,
})

/**
 * Returns the result of a test login, and records that it succeeded: the provider may be enabled then. Begins no
 * session. Refusals like `finishSso`, with the provider's reason.
 */
export const finishTry = endpoint({
  path: '/sso/v1/chk/try',
  summary: 'Finish a test login by an identity provider',
  title: { ko: '통합 로그인 시험', en: 'Tested single sign-on' },
  access: manage,
  input: z.strictObject({ binding, answer }),
  output: z.object({
    providerName: z.string(),
    /** Claims about the person, as the provider named them. */
    claims: z.array(z.object({ claim: z.string(), text: z.string() })),
    /** Login ID of the linked account; empty if there is none. */
    matchedId: z.string(),
    /** Reason why this account may not log in; empty if it may, or there is none. */
    obstacle: z.string(),
  }),
  errors: [...UNPROVEN],
  audit: 'setting.try-sso',
  personal: ['read', 'told'],
  ownTurns: true,
})
