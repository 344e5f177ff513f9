import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag, timestamp } from './fields.ts'

/** The most required notices that home lists; it states how many more there are. */
export const TO_READ_SHOWN = 3

/** The most of the caller's own keys that home lists. */
export const OWN_KEYS_SHOWN = 3

/**
 * Returns the caller's open tasks for home (rules/home#to-do). A count is present only if the caller has the permission for the
 * list behind it, and equals the count of that list.
 */
export const getToDo = endpoint({
  path: '/cm/v1/get/toDo',
  summary: 'List my tasks',
  access: 'signed-in',
  output: z.object({
    /**
     * The newest TO_READ_SHOWN required notices that the caller has not confirmed, newest first; `userId` is the author's.
     */
    unconfirmed: z.array(
      z.object({ noticeId: z.string(), title: z.string(), userId: z.string(), registeredAt: timestamp }),
    ),
    /** Number of all required notices that the caller has not confirmed. */
    unconfirmedCount: z.number(),
    /** The last day of the caller's own account if it is near: YYYY-MM-DD. */
    ownEnd: z.optional(z.object({ validTo: z.string(), daysLeft: z.number() })),
    /** Number of requests that wait for the caller's decision. */
    requestCount: z.optional(z.number()),
    /** Number of second-factor resets that wait for the caller's decision. */
    factorResetCount: z.optional(z.number()),
    /** Number of accounts in the caller's administration scope that end soon. */
    endingCount: z.optional(z.number()),
    /** Number of partners that are near a limit. */
    nearLimitCount: z.optional(z.number()),
    /** Number of months of the access log that wait for their review. */
    inspectionCount: z.optional(z.number()),
    /** Number of quarters that wait for their access review. */
    reviewCount: z.optional(z.number()),
    /** The newest keys that were issued to the caller. */
    keys: z.optional(
      z.array(z.object({ keyId: z.string(), requestKey: z.string(), issuedAt: timestamp, revoked: flag })),
    ),
  }),
  audit: 'none',
  personal: 'none',
  leavesSessionIdle: 'in-background',
})
