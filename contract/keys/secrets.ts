import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { paging, timestamp, totalCount } from '../fields.ts'

const manage = { function: ['autho_service_manage'] } as const

/** The people who hold keys of former secrets are shown 10 a page. */
export const FORMER_KEYS_PER_PAGE = 10

/**
 * What a secret is to the server that answers: new keys come from the `current` one, keys of a `former` one are good, those of one
 * that is `gone` are unknown (rules/keys#changed-secret).
 */
const SECRET_STATES = ['current', 'former', 'gone'] as const

/** The secrets that keys were derived with, the newest first, and how many keys of each are not revoked; never a secret itself. */
export const listKeySecrets = endpoint({
  path: '/kmn/v1/get/KeySecretList',
  summary: 'List the key secrets and how many keys still need each',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    secrets: z.array(
      z.object({
        secretVersion: z.number(),
        state: z.enum(SECRET_STATES),
        /** When its first key was issued. */
        since: timestamp,
        keyCount: z.number(),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** The people whose keys come from a secret that is not the current one, those with most keys first. */
export const listFormerKeyHolders = endpoint({
  path: '/kmn/v1/get/FormerKeyUserList',
  summary: 'List the people whose keys come from a former key secret',
  title: { ko: '이전 비밀값의 키를 가진 사람 조회', en: 'Listed who holds keys of a former secret' },
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
        /** Of the person today; empty without one. */
        partnerCode: z.string(),
        keyCount: z.number(),
        /** When the newest of these keys was issued. */
        issuedAt: timestamp,
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: ['search', 'out.users[].userId'],
  perPerson: 'read',
})
