import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, multiline, paging, recordId, timestamp, totalCount } from '../fields.ts'
import { FUNCTIONS } from '../permissions.ts'
import { requiredText } from '../text-fields.ts'
import { OPINION_LENGTH, REMARK_LENGTH } from './inspections.ts'

/** How a quarter stands: nobody is reminded of it yet, it waits, it was begun, it was signed, or it passed without a review. */
export const REVIEW_STATES = ['OPEN', 'DUE', 'BEGUN', 'SIGNED', 'MISSED'] as const
/** See `REVIEW_STATES`. */
export type ReviewState = (typeof REVIEW_STATES)[number]

/** What the reviewer decided: it stays, or it was taken away. */
export const DECISIONS = ['CONFIRMED', 'WITHDRAWN'] as const
/** See `DECISIONS`. */
export type Decision = (typeof DECISIONS)[number]

/** Three years of quarters a page. */
export const REVIEWS_PER_PAGE = 12
/** How many are confirmed at once, and from how many at once a role is withdrawn. */
export const CONFIRMED_AT_ONCE = 10_000
export const WITHDRAWN_AT_ONCE = 100

const review = { function: ['autho_role_manage'] } as const

/** A quarter, YYYY-Qn. */
const quarter = z
  .string(requiredText)
  .check(z.minLength(1, 'required'), z.regex(/^20\d{2}-Q[1-4]$/, 'quarterFormat'))

const items = (most: number) =>
  z.array(recordId, { error: 'notAList' }).check(z.minLength(1, 'notAList'), z.maxLength(most, 'notAList'))

/** Why something stays may go without saying; why it was taken away may not. */
const remark = multiline(REMARK_LENGTH).check(z.trim())
const reason = multiline(REMARK_LENGTH).check(z.trim(), z.minLength(1, 'required'))

/** What is said of each thing that is reviewed. */
const decided = {
  itemId: z.string(),
  roleName: z.string(),
  functions: z.array(z.enum(FUNCTIONS)),
  decision: z.enum(['', ...DECISIONS]),
  remark: z.string(),
  remarkedAt: timestamp,
  remarkerName: z.string(),
  /** Whether who decided has the role themselves, or is the person. */
  ownRemark: flag,
  /** Whether the caller may decide it: nobody reviews what they lack, nor themselves where another can. */
  decidable: flag,
}

/** The quarters, newest first, and how far their reviews are (rules/audit#reviews). */
export const listReviews = endpoint({
  path: '/adt/v1/get/ReviewList',
  summary: 'Quarterly reviews of rights',
  access: review,
  input: z.strictObject(paging(REVIEWS_PER_PAGE)),
  output: z.object({
    rows: z.array(
      z.object({
        rowNumber: z.number(),
        quarter: z.string(),
        reviewState: z.enum(REVIEW_STATES),
        itemCount: z.number(),
        decidedCount: z.number(),
        /** When and by whom it was signed; '' before. */
        signedAt: timestamp,
        signerName: z.string(),
      }),
    ),
    totalCount,
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** The review of a quarter: who could do what when it was taken, what was decided of each, who signed. */
export const getReview = endpoint({
  path: '/adt/v1/get/Review',
  summary: 'Review of the rights of a quarter',
  title: { ko: '분기별 권한 검토 열기', en: 'Opened a quarterly review of rights' },
  access: review,
  input: z.strictObject({ quarter }),
  output: z.object({
    quarter: z.string(),
    reviewState: z.enum(REVIEW_STATES),
    /** When and by whom the rights were taken last; '' before. */
    takenAt: timestamp,
    takerName: z.string(),
    roles: z.array(
      z.object({
        ...decided,
        /** Neither renamed nor removed. */
        builtIn: flag,
        /** How many had it. */
        userCount: z.number(),
      }),
    ),
    people: z.array(
      z.object({
        ...decided,
        /** As they were called when the rights were taken. */
        userId: z.string(),
        name: z.string(),
        /** Whether the account could log in then, and when it had last. */
        mayLogIn: flag,
        lastLoginAt: timestamp,
      }),
    ),
    /** How many there are in all, those too that are out of the caller's reach, and how many of them are decided. */
    itemCount: z.number(),
    decidedCount: z.number(),
    opinion: z.string(),
    signedAt: timestamp,
    signerId: z.string(),
    signerName: z.string(),
  }),
  errors: ['REVIEW_NOT_FOUND'],
  audit: 'none',
  personal: ['read', 'told'],
  perPerson: 'read',
})

/** Takes who can do what now; what was decided of what is as it was stays. */
export const takeRights = endpoint({
  path: '/adt/v1/ins/Review',
  summary: 'Take the rights of a quarter for their review',
  title: { ko: '분기별 권한 검토 대상 가져오기', en: 'Took the rights for a quarterly review' },
  access: review,
  input: z.strictObject({ quarter }),
  output: z.object({ itemCount: z.number() }),
  errors: ['REVIEW_NOT_FOUND', 'REVIEW_SIGNED'],
  audit: 'review.take',
  personal: ['search', 'told'],
  perPerson: 'heavy',
})

const refusals = [
  'REVIEW_NOT_FOUND',
  'REVIEW_SIGNED',
  'REVIEW_ITEM_NOT_FOUND',
  'REVIEW_ITEM_DECIDED',
  'REVIEW_OWN',
  'FORBIDDEN',
] as const

/** Says that roles, and people who have them, keep what they have. */
export const confirmRights = endpoint({
  path: '/adt/v1/upd/ReviewItem',
  summary: 'Confirm rights in their review',
  title: { ko: '분기별 권한 검토 확인', en: 'Confirmed rights in a quarterly review' },
  access: review,
  input: z.strictObject({ quarter, itemIds: items(CONFIRMED_AT_ONCE), remark }),
  output: z.object({}),
  errors: refusals,
  audit: 'review.confirm',
  personal: ['change', 'told'],
  perPerson: 'write',
})

/** Gives people the role that everybody has instead of the one that is reviewed. */
export const withdrawRights = endpoint({
  path: '/adt/v1/del/ReviewItem',
  summary: 'Withdraw the role of people in its review',
  title: { ko: '분기별 권한 검토에서 권한 회수', en: 'Withdrew rights in a quarterly review' },
  access: review,
  confirmed: 'always',
  input: z.strictObject({ quarter, itemIds: items(WITHDRAWN_AT_ONCE), remark: reason }),
  output: z.object({ userCount: z.number() }),
  errors: [...refusals, 'RECORD_CHANGED', 'LAST_ADMIN', 'LAST_ADMIN_ENDS'],
  audit: 'user.update',
  auditsEach: true,
  personal: ['change', 'told'],
  perPerson: 'heavy',
})

/** Removes a role that nobody has any more. */
export const withdrawRole = endpoint({
  path: '/adt/v1/del/ReviewRole',
  summary: 'Remove a role in its review',
  access: review,
  confirmed: 'always',
  input: z.strictObject({ quarter, itemId: recordId, remark: reason }),
  output: z.object({}),
  errors: [...refusals, 'ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_IN_USE'],
  audit: 'role.remove',
  personal: 'none',
  perPerson: 'write',
})

/** Ends a review: whatever it says is as it was from then on. */
export const signReview = endpoint({
  path: '/adt/v1/upd/Review',
  summary: 'Sign the review of a quarter',
  access: review,
  confirmed: 'always',
  input: z.strictObject({
    quarter,
    /** How many things were before the eyes of who signs. */
    itemCount: z
      .number({ error: 'notNumber' })
      .check(z.int('notNumber'), z.gte(0, 'notNumber'), z.lte(1_000_000, 'notNumber')),
    opinion: multiline(OPINION_LENGTH).check(z.trim(), z.minLength(1, 'required')),
  }),
  output: z.object({}),
  errors: ['REVIEW_NOT_FOUND', 'REVIEW_SIGNED', 'REVIEW_OPEN', 'REVIEW_ABOVE', 'RECORD_CHANGED'],
  audit: 'review.sign',
  personal: 'none',
  perPerson: 'write',
})
