import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { partnerCode, recordVersion } from '../fields.ts'
import { LIMITS, partnerLimit, typedChange } from './limits.ts'
import { partnerFilters } from './list.ts'
import { managePartners } from './record.ts'

/** The most partners in one bulk change, which runs in one transaction (rules/partners#bulk-limits). */
export const PARTNER_BULK_MAX = 10_000

/** The most partners that a preview lists; the counts cover all. */
export const PARTNER_BULK_NAMED = 100

/** The ways to change limits: set a value, or add to the current one. */
export const LIMIT_CHANGES = ['set', 'raise'] as const

/** A list of partner codes, empty by default. */
const codes = z._default(
  z
    .array(partnerCode, { error: 'notAList' })
    .check(z.maxLength(PARTNER_BULK_MAX, `tooManyChosen|${PARTNER_BULK_MAX}`)),
  [],
)

/** The new limits, or the numbers to add. A limit that is left out stays unchanged. */
const limits = {
  maxKeysPerDay: z.optional(partnerLimit),
  maxKeysPerWeek: z.optional(partnerLimit),
  maxKeysPerMonth: z.optional(partnerLimit),
  maxKeysTotal: z.optional(partnerLimit),
}

/** Limits of a change: null for no limit, undefined to leave one unchanged. */
type AskedLimits = Partial<Record<(typeof LIMITS)[number], number | null | undefined>>

/** Checks that at least one limit is given. A limit that is left out stays unchanged. */
const isAnyLimit = z.refine<AskedLimits>((asked) => LIMITS.some((name) => asked[name] !== undefined), {
  error: 'noLimitGiven',
  path: [LIMITS[0]],
})

/** Checks that each raise is a number of keys: no limit cannot be added. */
const areRaises = LIMITS.map((name) =>
  z.refine<AskedLimits & { limitChange: (typeof LIMIT_CHANGES)[number] }>(
    (asked) => asked.limitChange === 'set' || asked[name] !== null,
    { error: 'partnerLimit', path: [name] },
  ),
)

/** The form of the change: limits as users type them. */
export const limitForm = z
  .strictObject({
    limitChange: z.enum(LIMIT_CHANGES, 'codeFormat'),
    maxKeysPerDay: typedChange,
    maxKeysPerWeek: typedChange,
    maxKeysPerMonth: typedChange,
    maxKeysTotal: typedChange,
  })
  .check(isAnyLimit, ...areRaises)

/** The chosen partners and the change. */
const asked = {
  /** The chosen partners: by code, or all that a search finds except some. */
  partnerCodes: codes,
  found: z.optional(z.strictObject(partnerFilters)),
  except: codes,
  limitChange: z.enum(LIMIT_CHANGES, 'codeFormat'),
  ...limits,
}

/** Checks that partners are chosen either by code or by a search. */
const isOneWay = z.refine<{ partnerCodes: readonly string[]; found?: unknown }>(
  ({ partnerCodes, found }) => partnerCodes.length > 0 !== (found !== undefined),
  { error: 'required', path: ['partnerCodes'] },
)

/** The limits of a partner. */
const present = z.object({
  maxKeysPerDay: partnerLimit,
  maxKeysPerWeek: partnerLimit,
  maxKeysPerMonth: partnerLimit,
  maxKeysTotal: partnerLimit,
})

/**
 * Previews a change of the limits of many partners (rules/partners#bulk-limits). Changes nothing. The client sends the version back
 * with the change, which is refused if any of these partners has changed since.
 */
export const previewLimits = endpoint({
  path: '/pid/v1/chk/limits',
  summary: 'Preview a change of many partners’ limits',
  access: managePartners,
  input: z.strictObject(asked).check(isOneWay, isAnyLimit, ...areRaises),
  output: z.object({
    version: z.string(),
    /** Number of partners to change. */
    partnerCount: z.number(),
    /** The first `PARTNER_BULK_NAMED` of the partners to change. */
    partners: z.array(
      z.object({
        partnerCode: z.string(),
        partnerName: z.string(),
        before: present,
        after: present,
        /** True if the partner has been issued as many keys as one of its new limits permits now. */
        isUsedUp: z.boolean(),
      }),
    ),
    /** Number of chosen partners that have these limits already, have no limit to raise, or were deleted. */
    unchangedCount: z.number(),
    /** Number of partners to change that are issued no more keys after the change. */
    usedUpCount: z.number(),
  }),
  errors: ['BULK_TOO_LARGE'],
  audit: 'none',
  personal: 'none',
  perPerson: 'heavy',
})

/**
 * Changes the limits of many partners as previewed, all or none, with an audit row for each partner whose limits change
 * (rules/partners#bulk-limits). RECORD_CHANGED if one has changed since `version`, BULK_NOBODY if none would change,
 * BULK_TOO_LARGE beyond PARTNER_BULK_MAX.
 */
export const changeLimits = endpoint({
  path: '/pid/v1/upd/limits',
  summary: 'Change the limits of many partners',
  access: managePartners,
  confirmed: 'always',
  input: z.strictObject({ ...asked, version: recordVersion }).check(isOneWay, isAnyLimit, ...areRaises),
  output: z.object({ partnerCount: z.number() }),
  errors: ['BULK_TOO_LARGE', 'BULK_NOBODY', 'RECORD_CHANGED'],
  audit: 'partner.update',
  auditsEach: true,
  personal: 'none',
})
