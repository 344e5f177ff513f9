import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { date, flag, paging, timestamp, totalCount, userId } from '../fields.ts'

/** The list of accounts that end shows 8 rows a page. */
export const ENDING_PER_PAGE = 8

/** Which accounts `listEnding` lists: those that end within `ENDING_DAYS` or ended as few days ago, or those that are suspended. */
export const ENDING = { ending: 'ENDING', suspended: 'SUSPENDED' } as const

const manage = { function: ['autho_user_manage'] } as const

/** What the admin card shows of validity and use, beside what it edits. */
export const accountState = {
  /** Not used for too long, or by hand, until somebody lifts it. */
  suspended: flag,
  /** When it was suspended; empty when it is not. */
  suspendedAt: z.union([z.literal(''), timestamp]),
  /** Of SUSPENDED_FOR, or DISUSE; empty when it is not suspended. */
  suspendedFor: z.string(),
  /** The words of whoever suspended it by hand. */
  suspendedReason: z.string(),
  /** Why it may not log in today, in the code of the refusal; empty when it may. */
  loginRefusal: z.string(),
  /** Empty until the first login. */
  lastLoginAt: z.string(),
  /** The end that `extendUser` would give; empty without an end or when there is no later day. */
  extendedTo: z.string(),
}

/** The first to end comes first; withdrawn and unapproved accounts are not in it, nor those above the caller. */
export const listEnding = endpoint({
  path: '/stm/v1/get/endings',
  summary: 'Accounts that end soon or are suspended',
  title: { ko: '만료 예정·정지 계정 조회', en: 'Looked at ending or suspended accounts' },
  access: manage,
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
        /** The caller's own account, which somebody else has to extend. */
        isOwn: flag,
        ...accountState,
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: ['search', 'out.users[].userId'],
  perPerson: 'read',
})

/**
 * Extends an account to a day, or without one by one year: from its end, or from today when that has passed (design/accounts#validity-and-inactivity). The
 * end that the caller saw comes with it, so that two clicks are one extension: RECORD_CHANGED when it is another one by now.
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
  perPerson: 'write',
})
