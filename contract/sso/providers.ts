import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { code, flag, line, recordId, timestamp } from '../fields.ts'

/** The most characters of a client secret. */
export const CLIENT_SECRET_LENGTH = 500

/** The most email domains of a provider. */
export const EMAIL_DOMAINS_MAX = 20

/** The most groups of a provider that have a role. */
const GROUP_ROLES_MAX = 50

/** Limit of test logins and changes per user: the portal connects to each chosen host. */
export const SSO_CHANGES = { points: 30, seconds: 10 * 60 }

/** Claims that can identify a user: `oid` is for Entra, whose `sub` differs between clients. */
export const SUBJECT_CLAIMS = ['sub', 'oid'] as const
/** A value of `SUBJECT_CLAIMS`. */
export type SubjectClaim = (typeof SUBJECT_CLAIMS)[number]

/**
 * Rules for users without a linked account: their login is refused, they may request an account, or get one without
 * approval (rules/sso#first-login).
 */
export const FIRST_LOGINS = ['refuse', 'request', 'create'] as const
/** A value of `FIRST_LOGINS`. */
export type FirstLogin = (typeof FIRST_LOGINS)[number]

/** Returns whether a text is an http or https URL without query, fragment, user and placeholders. */
const isIssuer = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.search + url.hash + url.username + url.password === '' &&
    !/[?{}]/.test(text)
  )
}

/** A domain of email addresses, in lower case. */
const emailDomain = line(253).check(
  z.toLowerCase(),
  z.regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'domainFormat'),
)

/** A group at the provider, and the role of its people. */
const groupRole = z.strictObject({ group: line(200), roleCode: code })
/** A group at an identity provider, and the role that its users get. */
export type GroupRole = z.output<typeof groupRole>

/** The fields of the form of a provider. */
export const providerForm = z.strictObject({
  /** Text of its button on the login page. */
  providerName: line(40),
  /** URL of its `/.well-known/openid-configuration` without that path. */
  issuer: line(500).check(z.refine(isIssuer, 'issuerFormat')),
  clientId: line(300),
  /** Left out to keep the saved one, which the server never returns. */
  clientSecret: z.optional(line(CLIENT_SECRET_LENGTH)),
  subjectClaim: z.enum(SUBJECT_CLAIMS, 'codeFormat'),
  /** Domains of which a user must have an email address to link and log in; empty for all. */
  emailDomains: z
    .array(emailDomain)
    .check(z.maxLength(EMAIL_DOMAINS_MAX, `tooManyChosen|${EMAIL_DOMAINS_MAX}`)),
  firstLogin: z.enum(FIRST_LOGINS, 'codeFormat'),
  /** Whether a login by this provider needs no second factor of the portal. */
  factorCounts: flag,
  /** Whether a logout ends the session at the provider, too (rules/sso#logout). */
  endsSession: z._default(flag, false),
  /** Claim with the groups of a person; empty for none. */
  groupsClaim: z._default(z.union([z.literal(''), line(60)]), ''),
  /** Roles by group (rules/sso#groups); the first match counts. */
  groupRoles: z._default(
    z.array(groupRole, 'notAList').check(z.maxLength(GROUP_ROLES_MAX, `tooManyChosen|${GROUP_ROLES_MAX}`)),
    [],
  ),
})

/** Access to the calls about providers. */
export const manage = { function: ['autho_setting_manage'] } as const

/**
 * Lists the identity providers with their settings, but without their secrets, and the roles that a group may have
 * (rules/sso#providers).
 */
export const listProviders = endpoint({
  path: '/sso/v1/get/providers',
  summary: 'List the identity providers',
  access: manage,
  output: z.object({
    providers: z.array(
      z.object({
        providerId: z.string(),
        ...z.omit(providerForm, { clientSecret: true }).shape,
        enabled: flag,
        /** Whether a test login has succeeded with the current settings. */
        tried: flag,
        linkCount: z.number(),
        providerVersion: z.number(),
        createdAt: timestamp,
      }),
    ),
    /** The roles that a group may have. */
    roles: z.array(z.object({ roleCode: z.string(), roleName: z.string() })),
    /** URL that the provider must allow; empty while the portal has no URL. */
    redirectUri: z.string(),
    /** True if the environment variable SSO turns single sign-on off. */
    ssoOff: flag,
  }),
  audit: 'none',
  personal: 'none',
})

/** Largest version of a provider, by the type of its column. */
const VERSION_MAX = 2_147_483_647

/** The fields that name a provider as the caller knows it. */
export const providerRef = {
  providerId: recordId,
  providerVersion: z.number().check(z.int(), z.gte(1), z.lte(VERSION_MAX)),
}

/**
 * Adds an identity provider, which is not enabled. SSO_FULL beyond PROVIDERS_MAX, SSO_SECRET_REQUIRED without a secret,
 * SSO_DOMAINS_NEEDED for accounts without approval but without email domains, ADMIN_REACH_REQUIRED for a caller who
 * does not reach administrators.
 */
export const createProvider = endpoint({
  path: '/sso/v1/ins/provider',
  summary: 'Add an identity provider',
  access: manage,
  confirmed: 'always',
  input: providerForm,
  output: z.object({ providerId: z.string() }),
  errors: [
    'ADMIN_REACH_REQUIRED',
    'SSO_FULL',
    'SSO_SECRET_REQUIRED',
    'SSO_DOMAINS_NEEDED',
    'CODE_NOT_FOUND',
    'TOO_MANY_TRIES',
  ],
  audit: 'setting.sso',
  personal: 'none',
})

/**
 * Changes an identity provider. Another issuer, client, secret or claim disables it until a test login succeeds.
 * SSO_LINKED for another issuer or claim while accounts are linked, SSO_SECRET_REQUIRED for another issuer or client
 * without its secret, RECORD_CHANGED if it has changed since the caller read it; other refusals like `createProvider`.
 */
export const updateProvider = endpoint({
  path: '/sso/v1/upd/provider',
  summary: 'Change an identity provider',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...providerRef, ...providerForm.shape }),
  errors: [
    'ADMIN_REACH_REQUIRED',
    'SSO_PROVIDER_NOT_FOUND',
    'RECORD_CHANGED',
    'SSO_SECRET_REQUIRED',
    'SSO_LINKED',
    'SSO_DOMAINS_NEEDED',
    'CODE_NOT_FOUND',
    'TOO_MANY_TRIES',
  ],
  audit: 'setting.sso',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Enables an identity provider, or disables it. SSO_NOT_TRIED without a test login with the current settings,
 * RECORD_CHANGED if it has changed since the caller read it, ADMIN_REACH_REQUIRED for a caller who does not reach
 * administrators.
 */
export const enableProvider = endpoint({
  path: '/sso/v1/upd/enabled',
  summary: 'Enable or disable an identity provider',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...providerRef, enabled: flag }),
  errors: ['ADMIN_REACH_REQUIRED', 'SSO_PROVIDER_NOT_FOUND', 'RECORD_CHANGED', 'SSO_NOT_TRIED'],
  audit: 'setting.sso',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Deletes an identity provider with its links, and ends the sessions that began by it. RECORD_CHANGED and
 * ADMIN_REACH_REQUIRED like `enableProvider`.
 */
export const removeProvider = endpoint({
  path: '/sso/v1/del/provider',
  summary: 'Delete an identity provider',
  access: manage,
  confirmed: 'always',
  input: z.strictObject(providerRef),
  errors: ['ADMIN_REACH_REQUIRED', 'SSO_PROVIDER_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'setting.sso',
  personal: 'none',
})
