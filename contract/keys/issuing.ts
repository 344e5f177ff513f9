import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, recordId, timestamp } from '../fields.ts'

/** The longest requestKey, in characters. */
const REQUEST_KEY_LENGTH = 200
/** The longest reason of a revocation, in characters. */
export const REASON_LENGTH = 200
/** The most keys that one call revokes by their IDs. */
export const KEYS_CHOSEN_MAX = 1000
/** The most keys that one transaction revokes, such as all keys of a user. */
export const KEYS_REVOKED_MAX = 10_000

/**
 * Issues a key to the caller's partner (rules/keys#issue-key). The same requestKey of the same user returns the same
 * key again and counts once, even if since then a limit is full, the partner is inactive or expired, or the key is
 * revoked. NO_PARTNER without a partner; PARTNER_STOPPED or PARTNER_EXPIRED for one that gets no keys; KEY_LIMIT_TOTAL,
 * _MONTH, _WEEK or _DAY for a full limit, of several the one with the longest wait.
 */
export const issueKey = endpoint({
  path: '/kmn/v1/ins/Key',
  summary: 'Issue a key',
  title: { ko: '키 발급', en: 'Issued a key' },
  access: 'signed-in',
  scope: 'keys:issue',
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

/**
 * Revokes a key permanently and notifies its user. It still counts for the partner's limits, and the history shows it
 * as revoked. KEY_NOT_FOUND, also for a key of another branch; KEY_ALREADY_REVOKED.
 */
export const revokeKey = endpoint({
  path: '/kmn/v1/del/Key',
  summary: 'Revoke a key',
  title: { ko: '키 폐기', en: 'Revoked a key' },
  access: { function: ['autho_partner_search'] },
  confirmed: 'always',
  input: z.strictObject({ keyId: recordId, reason: line(REASON_LENGTH) }),
  errors: ['KEY_NOT_FOUND', 'KEY_ALREADY_REVOKED'],
  audit: 'key.revoke',
  personal: ['change', 'told'],
})

/**
 * Revokes many keys with one reason, like single revocations, and returns their number. Keys that are revoked already
 * stay as they are; KEY_ALREADY_REVOKED if all are. KEY_NOT_FOUND if one is missing or of another branch.
 */
export const revokeKeys = endpoint({
  path: '/kmn/v1/del/Keys',
  summary: 'Revoke many keys',
  title: { ko: '선택한 키 폐기', en: 'Revoked several keys' },
  access: { function: ['autho_partner_search'] },
  confirmed: 'always',
  input: z.strictObject({
    keyIds: z
      .array(recordId, { error: 'notAList' })
      .check(z.minLength(1, 'required'), z.maxLength(KEYS_CHOSEN_MAX, `tooManyChosen|${KEYS_CHOSEN_MAX}`)),
    reason: line(REASON_LENGTH),
  }),
  output: z.object({ keyCount: z.number() }),
  errors: ['KEY_NOT_FOUND', 'KEY_ALREADY_REVOKED'],
  audit: 'key.revoke',
  auditsEach: true,
  personal: ['change', 'told'],
})

/**
 * The current states of a key. `unknown`: Maru never issued it. `expired`: the partner is inactive or today is outside
 * its validity period, or the user of the key may not log in any more. A revoked key that is also expired is `revoked`.
 */
const KEY_STATES = ['valid', 'revoked', 'expired', 'unknown'] as const

/**
 * Checks whether a key that a service received is valid, and returns its state; an unknown key is a result, no refusal
 * (design/keys#derived-keys). Needs a service token, or a program token with the scope.
 */
export const verifyKey = endpoint({
  path: '/kmn/v1/chk/Key',
  summary: 'Verify a key',
  title: { ko: '키 확인', en: 'Verified a key' },
  access: 'service',
  scope: 'keys:verify',
  // Any text is allowed: a text that is not a key returns `unknown`, not a refusal.
  input: z.strictObject({ issuedKey: line(1000) }),
  output: z.object({
    state: z.enum(KEY_STATES),
    /** Empty for `unknown`. */
    keyId: z.string(),
  }),
  audit: 'none',
  personal: 'none',
  perPerson: 'program',
  limit: { points: 3000, seconds: 60 },
})
