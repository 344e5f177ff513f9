import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { code, flag, recordId, timestamp } from './fields.ts'

/** The most tokens of a provider: the current one, and the next one during a rotation (rules/scim#tokens). */
export const SCIM_TOKENS_MAX = 2

/** The most accounts that one call adopts. */
export const ADOPTIONS_MAX = 200

/** Access policy of the calls about provisioning. */
const manage = { function: ['autho_setting_manage'] } as const
/** The provider that a call is about. */
const providerRef = { providerId: recordId }

/**
 * Returns the provisioning of a provider: its tokens, its state, and the accounts that wait for adoption
 * (rules/scim#adoption), at most 200. SSO_PROVIDER_NOT_FOUND for an unknown provider.
 */
export const getScim = endpoint({
  path: '/scm/v1/get/scim',
  summary: 'Read the provisioning of an identity provider',
  title: { ko: '자동 프로비저닝 조회', en: 'Viewed provisioning' },
  access: manage,
  input: z.strictObject(providerRef),
  output: z.object({
    /** URL for the provider; empty while the portal has no URL. */
    scimUrl: z.string(),
    /** Affiliation of new accounts; empty until it is chosen. */
    affiliationCode: z.string(),
    tokens: z.array(
      z.object({
        tokenId: z.string(),
        createdAt: timestamp,
        createdBy: z.string(),
        /** Empty if it was never used. */
        lastUsedAt: z.string(),
      }),
    ),
    managedCount: z.number(),
    /** Time since which suspensions and withdrawals are stopped; empty if they are not (rules/scim#limit). */
    stoppedAt: z.string(),
    /** Accounts that the provider wants to create and that exist; only for callers who reach administrators. */
    candidates: z.array(
      z.object({
        candidateId: z.string(),
        userId: z.string(),
        name: z.string(),
        email: z.string(),
        /** Name of the user at the provider. */
        scimName: z.string(),
        askedAt: timestamp,
        /** Whether the account has a privileged permission, so that it cannot be adopted. */
        privileged: flag,
      }),
    ),
  }),
  errors: ['SSO_PROVIDER_NOT_FOUND'],
  audit: 'none',
  personal: ['read', 'told'],
})

/**
 * Sets the affiliation of new accounts that name none. ADMIN_REACH_REQUIRED for a caller who does not reach
 * administrators, AFFILIATION_CLOSED for a closed one.
 */
export const updateScim = endpoint({
  path: '/scm/v1/upd/scim',
  summary: 'Set the affiliation of new accounts of an identity provider',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...providerRef, affiliationCode: code }),
  errors: ['ADMIN_REACH_REQUIRED', 'SSO_PROVIDER_NOT_FOUND', 'CODE_NOT_FOUND', 'AFFILIATION_CLOSED'],
  audit: 'scim.update',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Creates a token with which the provider manages accounts. It is returned only this time. SCIM_AFFILIATION_REQUIRED
 * before an affiliation is set, SCIM_TOKENS_FULL beyond SCIM_TOKENS_MAX, ADMIN_REACH_REQUIRED for a caller who does not
 * reach administrators.
 */
export const createScimToken = endpoint({
  path: '/scm/v1/ins/token',
  summary: 'Create a SCIM token of an identity provider',
  access: manage,
  confirmed: 'always',
  input: z.strictObject(providerRef),
  output: z.object({ tokenId: z.string(), scimToken: z.string() }),
  errors: ['ADMIN_REACH_REQUIRED', 'SSO_PROVIDER_NOT_FOUND', 'SCIM_TOKENS_FULL', 'SCIM_AFFILIATION_REQUIRED'],
  audit: 'scim.token',
  personal: 'none',
})

/**
 * Revokes a token immediately. SCIM_TOKEN_NOT_FOUND if it has ended, ADMIN_REACH_REQUIRED for a caller who does not
 * reach administrators.
 */
export const endScimToken = endpoint({
  path: '/scm/v1/del/token',
  summary: 'End a SCIM token of an identity provider',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...providerRef, tokenId: recordId }),
  errors: ['ADMIN_REACH_REQUIRED', 'SSO_PROVIDER_NOT_FOUND', 'SCIM_TOKEN_NOT_FOUND'],
  audit: 'scim.end-token',
  personal: 'none',
})

/**
 * Lets a stopped provider suspend and withdraw accounts without a limit for an hour (rules/scim#limit).
 * SCIM_NOT_STOPPED if it is not stopped, ADMIN_REACH_REQUIRED for a caller who does not reach administrators.
 */
export const releaseScim = endpoint({
  path: '/scm/v1/upd/release',
  summary: 'Let an identity provider go on with suspensions',
  access: manage,
  confirmed: 'always',
  input: z.strictObject(providerRef),
  errors: ['ADMIN_REACH_REQUIRED', 'SSO_PROVIDER_NOT_FOUND', 'SCIM_NOT_STOPPED'],
  audit: 'scim.release',
  personal: 'none',
})

/**
 * Lets a provider manage existing accounts that it wanted to create. SCIM_CANDIDATE_NOT_FOUND if one cannot be adopted;
 * then none is. ADMIN_REACH_REQUIRED for a caller who does not reach administrators.
 */
export const adoptAccounts = endpoint({
  path: '/scm/v1/ins/adoption',
  summary: 'Let an identity provider manage existing accounts',
  title: { ko: '자동 프로비저닝 계정 연결', en: 'Let a provider manage accounts' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({
    ...providerRef,
    candidateIds: z
      .array(recordId)
      .check(z.minLength(1, 'required'), z.maxLength(ADOPTIONS_MAX, `tooManyChosen|${ADOPTIONS_MAX}`)),
  }),
  output: z.object({ adoptedCount: z.number() }),
  errors: ['ADMIN_REACH_REQUIRED', 'SSO_PROVIDER_NOT_FOUND', 'SCIM_CANDIDATE_NOT_FOUND'],
  audit: 'scim.adopt',
  personal: ['change', 'told'],
})
