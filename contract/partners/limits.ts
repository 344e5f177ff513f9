import * as z from 'zod/mini'

/** The most keys that a limit may be. */
export const MAX_LIMIT = 1_000_000_000

/** Of how much of a limit on a partner is said to be near it, in percent. */
export const NEAR_LIMIT = 80

/** The limits of a partner, from the shortest period to the longest. */
export const LIMITS = ['maxKeysPerDay', 'maxKeysPerWeek', 'maxKeysPerMonth', 'maxKeysTotal'] as const
/** A limit of a partner. */
export type LimitName = (typeof LIMITS)[number]

/** Most keys of a period; null is no limit (rules/partners#partner-limits). */
export const partnerLimit = z.nullable(
  z
    .number({ error: 'notNumber' })
    .check(z.int('notNumber'), z.gte(0, 'limitRange'), z.lte(MAX_LIMIT, 'limitRange')),
)

/** A limit as people write numbers: 1,000. */
export const typedLimit = z.pipe(
  z
    .string()
    .check(z.refine((text) => /^[\d,\s]*$/.test(text) && (limitOf(text) ?? 0) <= MAX_LIMIT, 'partnerLimit')),
  z.transform(limitOf),
)

/** The number of a limit as it was typed; null: none (rules/partners#partner-limits). */
export function limitOf(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, '')
  return digits === '' ? null : Number(digits)
}

/**
 * The limit of a longer period that is below this one, if any: no more than that can be issued (rules/partners#partner-limits).
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
