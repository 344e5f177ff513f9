import * as z from 'zod/mini'

/** The largest number of keys that a limit may have. */
export const MAX_LIMIT = 1_000_000_000

/** Percentage of a limit from which a partner is near it. */
export const NEAR_LIMIT = 80

/** The limits of a partner, from the shortest period to the longest. */
export const LIMITS = ['maxKeysPerDay', 'maxKeysPerWeek', 'maxKeysPerMonth', 'maxKeysTotal'] as const
/** A limit of a partner. */
export type LimitName = (typeof LIMITS)[number]

/** The most keys in a period; null for no limit (rules/partners#partner-limits). */
export const partnerLimit = z.nullable(
  z
    .number({ error: 'notNumber' })
    .check(z.int('notNumber'), z.gte(0, 'limitRange'), z.lte(MAX_LIMIT, 'limitRange')),
)

/** A limit as users type numbers: 1,000. */
export const typedLimit = z.pipe(
  z
    .string()
    .check(z.refine((text) => /^[\d,\s]*$/.test(text) && (limitOf(text) ?? 0) <= MAX_LIMIT, 'partnerLimit')),
  z.transform(limitOf),
)

/** Returns the number of a typed limit; null for no limit (rules/partners#partner-limits). */
export function limitOf(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, '')
  return digits === '' ? null : Number(digits)
}

/**
 * Returns the limit of a longer period that is below this one, if there is one: the partner cannot use more than that
 * (rules/partners#partner-limits).
 */
export function exceeded(
  limits: Readonly<Record<LimitName, number | null>>,
  name: LimitName,
): LimitName | undefined {
  const own = limits[name]
  return LIMITS.slice(LIMITS.indexOf(name) + 1).find((longer) => {
    const most = limits[longer]
    return own !== null && most !== null && own > most
  })
}
