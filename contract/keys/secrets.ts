import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { paging, timestamp, totalCount } from '../fields.ts'

/** Access policy of the calls about key secrets. */
const manage = { function: ['autho_service_manage'] } as const

/** Number of rows on a page of the users who have keys of previous secrets. */
export const FORMER_KEYS_PER_PAGE = 10

/**
 * The states of a secret on the server that responds. New keys are derived from the `current` one, keys of a `former` one are
 * valid, keys of a `gone` one are unknown (rules/keys#changed-secret).
 */
const SECRET_STATES = ['current', 'former', 'gone'] as const

/**
 * Lists the secrets from which keys were derived, newest first, with the number of their keys that are not revoked. It never
 * returns a secret.
 */
export const listKeySecrets = endpoint({
  path: '/kmn/v1/get/KeySecretList',
  summary: 'List the key secrets with the number of their keys',
  access: manage,
  output: z.object({
    secrets: z.array(
      z.object({
        secretVersion: z.number(),
        state: z.enum(SECRET_STATES),
        /** Time of its first key. */
        since: timestamp,
        keyCount: z.number(),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/** Lists the users who have keys, not revoked, of any secret but the current one (`former` or `gone`), those with most keys first. */
export const listFormerKeyHolders = endpoint({
  path: '/kmn/v1/get/FormerKeyUserList',
  summary: 'List users with keys of a previous key secret',
  title: {
    ko: '이전 비밀값의 키를 보유한 사용자 조회',
    en: 'Viewed the users with keys of a previous secret',
  },
  access: manage,
  input: z.strictObject(paging(FORMER_KEYS_PER_PAGE)),
  output: z.object({
    totalCount,
    users: z.array(
      z.object({
        rowNumber: z.number(),
        userId: z.string(),
        name: z.string(),
        affiliationName: z.string(),
        /** The user's current partner code; empty without one. */
        partnerCode: z.string(),
        keyCount: z.number(),
        /** Time of the newest of these keys. */
        issuedAt: timestamp,
      }),
    ),
  }),
  audit: 'none',
  personal: ['search', 'out.users[].userId'],
})
