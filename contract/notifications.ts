import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag, paging, timestamp, totalCount } from './fields.ts'
import { KINDS } from './notifications/kinds.ts'

export { countUnreadNotifications } from './notifications/count.ts'
export * from './notifications/preferences.ts'
export * from './notifications/kinds.ts'

/** Number of rows on a page of all notifications. */
export const NOTIFICATIONS_PER_PAGE = 10
/** Number of notifications that the bell shows, the newest ones. */
export const NOTIFICATIONS_IN_BELL = 6

/** A notification's ID as a list returned it; it reveals nothing to another user. */
const notificationId = z
  .string({ error: 'notText' })
  .check(z.regex(/^[nrifq]?[1-9][0-9]{0,17}$/, 'recordIdFormat'))

/**
 * Lists the caller's notifications (rules/notifications), newest first: those of the last 90 days, at most 200. The
 * page has the texts of each kind; the optional fields depend on the kind.
 */
export const listNotifications = endpoint({
  path: '/ntf/v1/get/notifications',
  summary: 'List my notifications',
  access: 'signed-in',
  input: z.strictObject({
    /** True to leave out those that the caller has read. */
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
        /** For a required notice, and a notice with a new comment. */
        noticeId: z.optional(z.string()),
        title: z.optional(z.string()),
        /** For a decision on a change of affiliation, in the caller's language. */
        affiliationName: z.optional(z.string()),
        /** For a rejection, and a revoked key. */
        reason: z.optional(z.string()),
        requestKey: z.optional(z.string()),
        /** For a limit that was reached. */
        partnerCode: z.optional(z.string()),
        period: z.optional(z.enum(['day', 'week', 'month', 'total'])),
        mark: z.optional(z.number()),
        /** For a login from a new network; the address also for a mail server. */
        address: z.optional(z.string()),
        device: z.optional(z.string()),
        /** For a request for an account; the name also for a comment and a mail server. */
        userId: z.optional(z.string()),
        name: z.optional(z.string()),
        /** For a monthly access-log review that is due, YYYY-MM. */
        month: z.optional(z.string()),
        /** For an access review that is due, YYYY-Qn. */
        quarter: z.optional(z.string()),
        /** For a token that ends soon, or that another user has revoked. */
        programName: z.optional(z.string()),
        serviceName: z.optional(z.string()),
        webhookName: z.optional(z.string()),
        /** For suspensions that were stopped. */
        providerName: z.optional(z.string()),
        expiresAt: z.optional(timestamp),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
  leavesSessionIdle: 'in-background',
})

/** Marks notifications of the caller as read. IDs of other users' notifications, and of deleted ones, are ignored. */
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
  audit: 'none',
  personal: 'none',
})

/** Marks all notifications in the caller's list as read. */
export const readAllNotifications = endpoint({
  path: '/ntf/v1/upd/readAll',
  summary: 'Mark all notifications as read',
  access: 'signed-in',
  output: z.object({ unreadCount: z.number() }),
  audit: 'none',
  personal: 'none',
})
