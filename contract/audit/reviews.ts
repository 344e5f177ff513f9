import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, multiline, paging, recordId, timestamp, totalCount } from '../fields.ts'
import { FUNCTIONS } from '../permissions.ts'
import { requiredText } from '../text-fields.ts'
import { OPINION_LENGTH, REMARK_LENGTH } from './inspections.ts'

/** The states of a quarter: open and not yet due, due, begun, signed, or missed without a review. */
export const REVIEW_STATES = ['OPEN', 'DUE', 'BEGUN', 'SIGNED', 'MISSED'] as const
/** See `REVIEW_STATES`. */
export type ReviewState = (typeof REVIEW_STATES)[number]

/** The reviewer's decisions: the permission stays, or it was revoked. */
export const DECISIONS = ['CONFIRMED', 'WITHDRAWN'] as const
/** See `DECISIONS`. */
export type Decision = (typeof DECISIONS)[number]

/** The quarters of three years per page. */
export const REVIEWS_PER_PAGE = 12
/** The most items that one call confirms. */
export const CONFIRMED_AT_ONCE = 10_000
/** The most items that one call withdraws. */
export const WITHDRAWN_AT_ONCE = 100

/** Access policy of the access review. */
const review = { function: ['autho_role_manage'] } as const

/** A quarter, YYYY-Qn. */
const quarter = z
  .string(requiredText)
  .check(z.minLength(1, 'required'), z.regex(/^20\d{2}-Q[1-4]$/, 'quarterFormat'))

/** Creates a schema for the IDs of the items of a review: 1 to `most`. */
const items = (most: number) =>
  z.array(recordId, { error: 'notAList' }).check(z.minLength(1, 'notAList'), z.maxLength(most, 'notAList'))

/** Schema of the remark on a confirmed item, which may be empty. */
const remark = multiline(REMARK_LENGTH).check(z.trim())
/** Schema of the reason of a revocation, which is required. */
const reason = multiline(REMARK_LENGTH).check(z.trim(), z.minLength(1, 'required'))

/** The fields of a reviewed item: the role, its permissions, and the decision ('' before). */
const decided = {
  itemId: z.string(),
  roleName: z.string(),
  functions: z.array(z.enum(FUNCTIONS)),
  decision: z.enum(['', ...DECISIONS]),
  remark: z.string(),
  remarkedAt: timestamp,
  remarkerName: z.string(),
  /** True if the user of the item wrote the remark; false for a role. */
  ownRemark: flag,
  /**
   * True if the caller may decide the item: reviewers must hold the permission, and may not review themselves if another reviewer
   * can.
   */
  decidable: flag,
}

/** Lists the quarters, newest first, with the state of their reviews (rules/audit#reviews). */
export const listReviews = endpoint({
  path: '/adt/v1/get/ReviewList',
  summary: 'List the quarterly access reviews',
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
        /** Time and signer of the signature; '' before. */
        signedAt: timestamp,
        signerName: z.string(),
      }),
    ),
    totalCount,
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Returns the review of a quarter: the recorded permissions, the decision on each, and the signer. Items outside the
 * caller's administration scope are only counted. REVIEW_NOT_FOUND for a quarter that cannot be reviewed.
 */
export const getReview = endpoint({
  path: '/adt/v1/get/Review',
  summary: 'Read the access review of a quarter',
  title: { ko: '분기별 권한 검토 조회', en: 'Viewed a quarterly access review' },
  access: review,
  input: z.strictObject({ quarter }),
  output: z.object({
    quarter: z.string(),
    reviewState: z.enum(REVIEW_STATES),
    /** Time and user of the last snapshot of the permissions; '' before. */
    takenAt: timestamp,
    takerName: z.string(),
    roles: z.array(
      z.object({
        ...decided,
        /** True for a role that cannot be renamed or removed. */
        builtIn: flag,
        /** The number of users with the role. */
        userCount: z.number(),
      }),
    ),
    people: z.array(
      z.object({
        ...decided,
        /** ID and name at the time of the snapshot. */
        userId: z.string(),
        name: z.string(),
        /** True if the account could log in at the snapshot. The next field is its last login before that. */
        mayLogIn: flag,
        lastLoginAt: timestamp,
      }),
    ),
    /** The number of all items, including those outside the caller's administration scope. */
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
})

/**
 * Takes a snapshot of the current permissions into the review of a quarter. Decisions on unchanged items are kept.
 * REVIEW_NOT_FOUND for a quarter that cannot be reviewed, REVIEW_SIGNED after the signature.
 */
export const takeRights = endpoint({
  path: '/adt/v1/ins/Review',
  summary: 'Take a snapshot of permissions for a review',
  title: { ko: '분기별 권한 검토 대상 가져오기', en: 'Took a snapshot for a quarterly access review' },
  access: review,
  input: z.strictObject({ quarter }),
  output: z.object({ itemCount: z.number() }),
  errors: ['REVIEW_NOT_FOUND', 'REVIEW_SIGNED'],
  audit: 'review.take',
  personal: ['search', 'told'],
  perPerson: 'heavy',
})

/** The errors of a decision on items. */
const refusals = [
  'REVIEW_NOT_FOUND',
  'REVIEW_SIGNED',
  'REVIEW_ITEM_NOT_FOUND',
  'REVIEW_ITEM_DECIDED',
  'REVIEW_OWN',
  'FORBIDDEN',
] as const

/**
 * Marks roles, and the users who have them, as confirmed. REVIEW_OWN if another reviewer must decide an item, FORBIDDEN
 * for permissions that the caller lacks, REVIEW_ITEM_DECIDED for a revoked item.
 */
export const confirmRights = endpoint({
  path: '/adt/v1/upd/ReviewItem',
  summary: 'Confirm permissions in a review',
  title: { ko: '분기별 권한 검토 확인', en: 'Confirmed permissions in a quarterly access review' },
  access: review,
  input: z.strictObject({ quarter, itemIds: items(CONFIRMED_AT_ONCE), remark }),
  errors: refusals,
  audit: 'review.confirm',
  personal: ['change', 'told'],
})

/**
 * Replaces the reviewed role of users by the default role immediately, for all or none. RECORD_CHANGED if one of them
 * has another role now. LAST_ADMIN or LAST_ADMIN_ENDS if no administrator would remain; other refusals like
 * `confirmRights`.
 */
export const withdrawRights = endpoint({
  path: '/adt/v1/del/ReviewItem',
  summary: 'Revoke the role of users in its review',
  title: { ko: '분기별 권한 검토에서 권한 회수', en: 'Revoked permissions in a quarterly access review' },
  access: review,
  confirmed: 'always',
  input: z.strictObject({ quarter, itemIds: items(WITHDRAWN_AT_ONCE), remark: reason }),
  output: z.object({ userCount: z.number() }),
  errors: [...refusals, 'RECORD_CHANGED', 'LAST_ADMIN', 'LAST_ADMIN_ENDS'],
  audit: 'user.update',
  auditsEach: true,
  personal: ['change', 'told'],
})

/**
 * Removes a reviewed role that no user has any more; ROLE_IN_USE if one has it, ROLE_BUILT_IN for a built-in one. Other
 * refusals like `confirmRights`.
 */
export const withdrawRole = endpoint({
  path: '/adt/v1/del/ReviewRole',
  summary: 'Remove a role in its review',
  access: review,
  confirmed: 'always',
  input: z.strictObject({ quarter, itemId: recordId, remark: reason }),
  errors: [...refusals, 'ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_IN_USE'],
  audit: 'role.remove',
  personal: 'none',
})

/**
 * Signs and closes a review; its contents cannot change afterwards. REVIEW_OPEN if an item is undecided,
 * REVIEW_ABOVE if one is outside the signer's administration scope. RECORD_CHANGED if permissions have
 * changed since the snapshot.
 */
export const signReview = endpoint({
  path: '/adt/v1/upd/Review',
  summary: 'Sign the review of a quarter',
  access: review,
  confirmed: 'always',
  input: z.strictObject({
    quarter,
    /** The number of items that the signer saw. */
    itemCount: z
      .number({ error: 'notNumber' })
      .check(z.int('notNumber'), z.gte(0, 'notNumber'), z.lte(1_000_000, 'notNumber')),
    opinion: multiline(OPINION_LENGTH).check(z.trim(), z.minLength(1, 'required')),
  }),
  errors: ['REVIEW_NOT_FOUND', 'REVIEW_SIGNED', 'REVIEW_OPEN', 'REVIEW_ABOVE', 'RECORD_CHANGED'],
  audit: 'review.sign',
  personal: 'none',
})
