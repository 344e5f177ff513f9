import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag, timestamp } from './fields.ts'

/** How many must-read notices home names; it says how many more there are. */
export const TO_READ_SHOWN = 3

/** How many of their own keys a person sees on home. */
export const OWN_KEYS_SHOWN = 3

/**
 * What waits for the caller, for home (rules/home#to-do). What does not concern them is left out: a count is there only
 * for who holds the function of the list that it leads to, and is the one of that list.
 */
export const getToDo = endpoint({
  path: '/cm/v1/get/toDo',
  summary: 'What waits for me',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({
    /** Must-read notices that the caller has not confirmed, the newest first. */
    unconfirmed: z.array(
      z.object({ noticeId: z.string(), title: z.string(), userId: z.string(), registeredAt: timestamp }),
    ),
    unconfirmedCount: z.number(),
    /** The last day of the caller's own account, where it is near: YYYY-MM-DD. */
    ownEnd: z.optional(z.object({ validTo: z.string(), daysLeft: z.number() })),
    /** Requests that wait for the caller's decision. */
    requestCount: z.optional(z.number()),
    /** Resets of second factors that wait for the caller's decision. */
    factorResetCount: z.optional(z.number()),
    /** Accounts within the caller's reach that end soon. */
    endingCount: z.optional(z.number()),
    /** Partners that have used most of a limit. */
    nearLimitCount: z.optional(z.number()),
    /** Months of the access log that wait for their inspection. */
    inspectionCount: z.optional(z.number()),
    /** Quarters whose rights wait for their review. */
    reviewCount: z.optional(z.number()),
    /** The keys that were issued to the caller last. */
    keys: z.optional(
      z.array(z.object({ keyId: z.string(), requestKey: z.string(), issuedAt: timestamp, revoked: flag })),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})
