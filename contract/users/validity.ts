import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { date, flag, paging, timestamp, totalCount, userId } from '../fields.ts'

/** Default rows per page of the list of accounts that end soon. */
export const ENDING_PER_PAGE = 8

/**
 * Which accounts `listEnding` lists: those that are not suspended and end within `ENDING_DAYS` days before or after
 * today, or suspended ones.
 */
export const ENDING = { ending: 'ENDING', suspended: 'SUSPENDED' } as const

/** Access policy: callers with the permission to manage users. */
const manage = { function: ['autho_user_manage'] } as const

/** Fields about validity and use that the admin card shows in addition to the fields that it edits. */
export const accountState = {
  /** True for an account suspended for inactivity or manually, until an administrator unsuspends it. */
  suspended: flag,
  /** Time of the suspension; empty if it is not suspended. */
  suspendedAt: z.union([z.literal(''), timestamp]),
  /** A value of SUSPENDED_FOR, or DISUSE; empty if it is not suspended. */
  suspendedFor: z.string(),
  /** The text of the administrator who suspended it manually; '' without one. */
  suspendedReason: z.string(),
  /** Code of the refusal with which it may not log in today; empty if it may. */
  loginRefusal: z.string(),
  /** Empty until the first login. */
  lastLoginAt: z.string(),
  /** The end that `extendUser` without `extendTo` would set; empty without an end or if no later day exists. */
  extendedTo: z.string(),
}

/**
 * Lists approved accounts that the caller may administer, by `state`: those that end within `ENDING_DAYS` days before
 * or after today, first end first, or suspended ones, longest suspended first. Leaves out withdrawn accounts. Includes
 * the caller's own account.
 */
export const listEnding = endpoint({
  path: '/stm/v1/get/endings',
  summary: 'Accounts that end soon or are suspended',
  title: { ko: '만료 예정·정지 계정 조회', en: 'Viewed expiring or suspended accounts' },
  access: manage,
  scope: 'users:read',
  input: z.strictObject({
    state: z._default(z.enum(Object.values(ENDING), 'codeFormat'), ENDING.ending),
    ...paging(ENDING_PER_PAGE),
  }),
  output: z.object({
    totalCount,
    users: z.array(
      z.object({
        rowNumber: z.number(),
        userId: z.string(),
        name: z.string(),
        affiliationName: z.string(),
        /** Empty for a suspended account without an end. */
        validTo: z.string(),
        /** 0 on the last day, below 0 afterwards; null without an end. */
        daysLeft: z.nullable(z.number()),
        /** True for the caller's own account, which another administrator must extend. */
        isOwn: flag,
        ...accountState,
      }),
    ),
  }),
  audit: 'none',
  personal: ['search', 'out.users[].userId'],
})

/**
 * Extends an account to the day `extendTo`, or without one by one year: from its end, or from today if that has passed
 * (design/accounts#validity-and-inactivity). Needs reauthentication, else CONFIRMATION_REQUIRED. The caller sends the
 * end that the page shows as `validTo`, so that two clicks make one extension: RECORD_CHANGED if the end has changed
 * since. Returns the new end. FORBIDDEN or USER_NOT_FOUND for an account that the caller may not administer.
 */
export const extendUser = endpoint({
  path: '/stm/v1/ext/user',
  summary: 'Extend an account',
  title: { ko: '유효기간 연장', en: 'Extended an account' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ userId, validTo: date, extendTo: z.optional(date) }).check(
    z.refine(({ validTo, extendTo }) => extendTo === undefined || extendTo > validTo, {
      error: 'endNotLater',
      path: ['extendTo'],
    }),
  ),
  output: z.object({ validTo: z.string() }),
  errors: [...UNREACHABLE, 'RECORD_CHANGED'],
  audit: 'user.extend',
  personal: ['change', 'in.userId'],
})
