import * as z from 'zod/mini'

/** The largest number of keys that a limit may have. */
export const MAX_LIMIT = 1_000_000_000

/** Percentage of a limit from which a partner is near it. */
export const NEAR_LIMIT = 80

/** The limits of a partner, from the shortest period to the longest. */
export const LIMITS = ['maxKeysPerDay', 'maxKeysPerWeek', 'maxKeysPerMonth', 'maxKeysTotal'] as const
/** A limit of a partner. */
export type LimitName = (typeof LIMITS)[number]

/**
 * The most keys in a period, a whole number from 0 to MAX_LIMIT ('limitRange'); null for no limit
 * (rules/partners#partner-limits).
 */
export const partnerLimit = z.nullable(
  z
    .number({ error: 'notNumber' })
    .check(z.int('notNumber'), z.gte(0, 'limitRange'), z.lte(MAX_LIMIT, 'limitRange')),
)

/** A limit as users type it, with commas or spaces: 1,000 ('partnerLimit'). Empty becomes null, no limit. */
export const typedLimit = z.pipe(
  z
    .string()
    .check(z.refine((text) => /^[\d,\s]*$/.test(text) && (limitOf(text) ?? 0) <= MAX_LIMIT, 'partnerLimit')),
  z.transform(limitOf),
)

/**
 * A change of a limit as users type it (rules/partners#bulk-limits): digits, -1 for no limit, or empty to leave it unchanged.
 * Empty becomes undefined, and -1 becomes null.
 */
export const typedChange = z.pipe(
  z.string().check(
    z.refine((text) => {
      const typed = text.trim()
      return typed === '' || typed === '-1' || (limitOf(typed) ?? MAX_LIMIT + 1) <= MAX_LIMIT
    }, 'limitChange'),
  ),
  z.transform((text) => (text.trim() === '' ? undefined : limitOf(text))),
)

/**
 * Converts a typed limit to its number (rules/partners#partner-limits).
 * @returns null for an empty text, which means no limit, and for a text that is no number
 */
export function limitOf(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, '')
  return /^\d+$/.test(digits) ? Number(digits) : null
}

/**
 * Finds the limit of a longer period that is below this one, so that this one has no effect
 * (rules/partners#partner-limits).
 * @returns the limit of the shortest such period; undefined if there is none
 */
export function findExceededLimit(
  limits: Readonly<Record<LimitName, number | null>>,
  name: LimitName,
): LimitName | undefined {
  const own = limits[name]
  return LIMITS.slice(LIMITS.indexOf(name) + 1).find((longer) => {
    const most = limits[longer]
    return own !== null && most !== null && own > most
  })
}
