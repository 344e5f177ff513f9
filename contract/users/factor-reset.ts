import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { flag, recordId, timestamp, userId } from '../fields.ts'
import { line } from '../text-fields.ts'
import { REASON_MAX } from './suspension.ts'

/** Days for which a reset request waits for a second administrator (rules/users#factor-reset). */
export const FACTOR_RESET_DAYS = 3

/** Access policy: callers with the permission to manage users. */
const manage = { function: ['autho_user_manage'] } as const

/**
 * Schema of the required reason. A reset takes two administrators, so that both state one when they request or reject
 * it.
 */
const why = line(REASON_MAX)

/** Errors of a decision on a request. */
const undecided = ['RESET_NOT_FOUND', ...UNREACHABLE] as const

/**
 * Returns whether a user has second factors, the open request for their reset if there is one, and whether the caller
 * may take part. FORBIDDEN or USER_NOT_FOUND for an account that the caller may not administer.
 */
export const getFactorReset = endpoint({
  path: '/stm/v1/get/factor/reset',
  summary: 'Read the second factors of a user and any reset request',
  title: { ko: '사용자의 2단계 인증 조회', en: 'Viewed the second factors of a user' },
  access: manage,
  input: z.strictObject({ userId }),
  output: z.object({
    hasFactor: flag,
    /** True if no other administrator may confirm a request of the caller (rules/roles#four-eyes). */
    alone: flag,
    /** True if the caller has a second factor that is old enough to take part. */
    ownFactor: flag,
    /**
     * True if the caller, or a related account, gave a way into the user's account: then the caller cannot take part.
     */
    involved: flag,
    /** True if a reset also ends the present password (rules/users#hold-after-reset). */
    passwordEnds: flag,
    reset: z.optional(
      z.object({
        resetId: recordId,
        askedAt: timestamp,
        /** Time at which the request expires. */
        expiresAt: timestamp,
        reason: z.string(),
        askerId: z.string(),
        askerName: z.string(),
        /** True if the caller made the request: another administrator must decide. */
        ownRequest: flag,
        /**
         * True if the caller and the requester are independent of each other and of the users who gave a way into the
         * user's account.
         */
        mayConfirm: flag,
      }),
    ),
  }),
  errors: UNREACHABLE,
  audit: 'none',
  personal: ['read', 'told', 'in.userId'],
})

/**
 * Requests the reset of a user's second factors. Needs reauthentication, else CONFIRMATION_REQUIRED. The user is
 * notified by email, and another administrator decides within `FACTOR_RESET_DAYS` days. FACTOR_NOT_FOUND if the user
 * has none; RESET_WAITS if a request is open; RESET_NEEDS_TWO if no other administrator could confirm it. FORBIDDEN or
 * USER_NOT_FOUND for an account that the caller may not administer.
 */
export const askFactorReset = endpoint({
  path: '/stm/v1/ins/factor/reset',
  summary: 'Request the reset of a user’s second factors',
  title: { ko: '2단계 인증 초기화 요청', en: 'Requested a reset of second factors' },
  access: manage,
  confirmed: 'always',
  fourEyes: true,
  input: z.strictObject({ userId, reason: why }),
  output: z.object({ resetId: recordId }),
  errors: [...UNREACHABLE, 'FACTOR_NOT_FOUND', 'RESET_WAITS', 'RESET_NEEDS_TWO'],
  audit: 'user.ask-factor-reset',
  personal: ['change', 'in.userId'],
  mails: 'mailWritten',
  perPerson: 'mail',
})

/**
 * Cancels the caller's own open request. Needs reauthentication, else CONFIRMATION_REQUIRED. No mail is sent.
 * RESET_NOT_OWN for the request of another user; RESET_NOT_FOUND if it was decided or has expired.
 */
export const withdrawFactorReset = endpoint({
  path: '/stm/v1/del/factor/reset',
  summary: 'Cancel my request for a reset',
  title: { ko: '2단계 인증 초기화 요청 취소', en: 'Canceled a reset of second factors' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ userId, resetId: recordId }),
  errors: [...undecided, 'RESET_NOT_OWN'],
  audit: 'user.withdraw-factor-reset',
  personal: ['change', 'in.userId'],
})

/**
 * Confirms another administrator's request: all second factors and recovery codes are deleted, every session ends, and
 * the user is notified by email. Needs reauthentication, else CONFIRMATION_REQUIRED. RESET_OWN for the requester;
 * RESET_NOT_FOUND if the request was decided or has expired; RESET_ASKER_GONE if the requester may not administer the
 * user any more; FACTOR_NOT_FOUND if the user has no factor left.
 */
export const confirmFactorReset = endpoint({
  path: '/stm/v1/upd/factor/reset',
  summary: 'Confirm the reset of a user’s second factors',
  title: { ko: '2단계 인증 초기화', en: 'Reset second factors' },
  access: manage,
  confirmed: 'always',
  fourEyes: true,
  input: z.strictObject({ userId, resetId: recordId }),
  errors: [...undecided, 'RESET_OWN', 'RESET_ASKER_GONE', 'FACTOR_NOT_FOUND'],
  audit: 'user.confirm-factor-reset',
  personal: ['change', 'in.userId'],
  mails: 'mailWritten',
  perPerson: 'mail',
})

/**
 * Rejects another administrator's request with a reason: no factor changes, and the user is notified by email. Needs
 * reauthentication, else CONFIRMATION_REQUIRED. RESET_OWN for the requester; RESET_NOT_FOUND if it was decided or has
 * expired.
 */
export const refuseFactorReset = endpoint({
  path: '/stm/v1/ref/factor/reset',
  summary: 'Reject the reset of a user’s second factors',
  title: { ko: '2단계 인증 초기화 거절', en: 'Rejected a reset of second factors' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ userId, resetId: recordId, reason: why }),
  errors: [...undecided, 'RESET_OWN'],
  audit: 'user.refuse-factor-reset',
  personal: ['change', 'in.userId'],
  mails: 'mailWritten',
  perPerson: 'mail',
})
