import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, recordId, timestamp } from '../fields.ts'

/** The longest requestKey, in characters. */
const REQUEST_KEY_LENGTH = 200
/** The longest reason of a revocation, in characters. */
export const REASON_LENGTH = 200

/**
 * Issues a key to the caller's partner (rules/keys#issue-key). The same requestKey of the same user answers the same
 * key again and counts once, also when a limit is full, the partner is stopped or over or the key is revoked by then.
 * Of several limits that are full the one that lasts longest is named.
 */
export const issueKey = endpoint({
  path: '/kmn/v1/ins/Key',
  summary: 'Issue a key, as an installed program does',
  access: 'signed-in',
  programs: true,
  input: z.strictObject({ requestKey: line(REQUEST_KEY_LENGTH) }),
  output: z.object({ keyId: z.string(), issuedKey: z.string(), issuedAt: timestamp }),
  errors: [
    'NO_PARTNER',
    'PARTNER_STOPPED',
    'PARTNER_EXPIRED',
    'KEY_LIMIT_DAY',
    'KEY_LIMIT_WEEK',
    'KEY_LIMIT_MONTH',
    'KEY_LIMIT_TOTAL',
  ],
  audit: 'key.issue',
  personal: 'none',
  perPerson: 'program',
  limit: { points: 600, seconds: 60 },
  fewAtOnce: true,
})

/** Revokes a key for good. It goes on counting for the partner's limits, and the history shows it as revoked. */
export const revokeKey = endpoint({
  path: '/kmn/v1/del/Key',
  summary: 'Revoke a key',
  title: { ko: '키 폐기', en: 'Revoked a key' },
  access: { function: ['autho_partner_search'] },
  confirmed: 'always',
  input: z.strictObject({ keyId: recordId, reason: line(REASON_LENGTH) }),
  output: z.object({}),
  errors: ['KEY_NOT_FOUND', 'KEY_ALREADY_REVOKED'],
  audit: 'key.revoke',
  personal: ['change', 'told'],
  perPerson: 'write',
})

/**
 * What a key is worth now. `unknown`: Maru never issued it. `revoked` goes before `expired`: the partner is stopped or
 * today is outside its validity, or its user may not log in any more (validity over, suspended, no longer approved,
 * withdrawn).
 */
const KEY_STATES = ['valid', 'revoked', 'expired', 'unknown'] as const

/** Whether a key that a service was given is good (design/keys#derived-keys). */
export const verifyKey = endpoint({
  path: '/kmn/v1/chk/Key',
  summary: 'Verify a key, as a service that is given one does',
  access: 'service',
  // Any text: what is no key is `unknown`, and no refusal.
  input: z.strictObject({ issuedKey: line(1000) }),
  output: z.object({
    state: z.enum(KEY_STATES),
    /** Empty for `unknown`. */
    keyId: z.string(),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'program',
  limit: { points: 3000, seconds: 60 },
})
