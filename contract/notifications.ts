import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag, paging, timestamp, totalCount } from './fields.ts'
import { KINDS } from './notifications/kinds.ts'

export { countUnreadNotifications } from './notifications/count.ts'
export * from './notifications/choices.ts'
export * from './notifications/kinds.ts'

/** The page of all notifications shows 10 a page, the bell the last 6. */
export const NOTIFICATIONS_PER_PAGE = 10
export const NOTIFICATIONS_IN_BELL = 6

/** A notification's ID as a list answered it; it says nothing to whoever else has it. */
const notificationId = z
  .string({ error: 'notText' })
  .check(z.regex(/^[nrifq]?[1-9][0-9]{0,17}$/, 'recordIdFormat'))

/**
 * What concerns the caller (rules/notifications), the newest first: of the last 90 days, the last 200 at most. The words are
 * the page's, by the kind; of the fields each kind has its own.
 */
export const listNotifications = endpoint({
  path: '/ntf/v1/get/notifications',
  summary: 'What concerns me',
  access: 'signed-in',
  input: z.strictObject({
    /** Leaves out what the caller has read. */
    unreadOnly: z._default(flag, false),
    ...paging(NOTIFICATIONS_PER_PAGE),
  }),
  output: z.object({
    totalCount,
    unreadCount: z.number(),
    notifications: z.array(
      z.object({
        notificationId: z.string(),
        kind: z.enum(KINDS),
        createdAt: timestamp,
        read: flag,
        /** Of a must-read notice, and of one that somebody has commented on. */
        noticeId: z.optional(z.string()),
        title: z.optional(z.string()),
        /** Of a decision about another affiliation, in the caller's language. */
        affiliationName: z.optional(z.string()),
        /** Of a decision against something, and of a key that was revoked. */
        reason: z.optional(z.string()),
        requestKey: z.optional(z.string()),
        /** Of a limit that was reached. */
        partnerCode: z.optional(z.string()),
        period: z.optional(z.enum(['day', 'week', 'month', 'total'])),
        mark: z.optional(z.number()),
        /** Of a login from a network that is new. */
        address: z.optional(z.string()),
        device: z.optional(z.string()),
        /** Of somebody who asks for an account; the name also of who comments. */
        userId: z.optional(z.string()),
        name: z.optional(z.string()),
        /** Of an inspection that is due, YYYY-MM. */
        month: z.optional(z.string()),
        /** Of a review of rights that is due, YYYY-Qn. */
        quarter: z.optional(z.string()),
        /** Of a token that ends soon, or that somebody else has ended. */
        programName: z.optional(z.string()),
        serviceName: z.optional(z.string()),
        expiresAt: z.optional(timestamp),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Marks notifications of the caller as read; what is not theirs, or not there any more, is passed over. */
export const readNotifications = endpoint({
  path: '/ntf/v1/upd/read',
  summary: 'Mark notifications as read',
  access: 'signed-in',
  input: z.strictObject({
    notificationIds: z
      .array(notificationId, { error: 'notAList' })
      .check(z.minLength(1, 'notAList'), z.maxLength(100, 'notAList')),
  }),
  output: z.object({ unreadCount: z.number() }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
})

/** Marks everything that the caller's list holds now as read. */
export const readAllNotifications = endpoint({
  path: '/ntf/v1/upd/readAll',
  summary: 'Mark all notifications as read',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({ unreadCount: z.number() }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
})
