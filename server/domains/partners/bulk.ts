import { type RawBuilder, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Actor } from '../../../contract/permissions.ts'
import {
  type changeLimits as changeEndpoint,
  LIMITS,
  type LimitName,
  MAX_LIMIT,
  PARTNER_BULK_MAX,
  PARTNER_BULK_NAMED,
  type previewLimits as previewEndpoint,
} from '../../../contract/partners.ts'
import { periodsAt } from '../../db/sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Database } from '../../db/types.ts'
import { versionOf } from '../../db/version.ts'
import type { Handler } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { inBranch } from '../roles/index.ts'
import { matchingPartners } from './list.ts'
import { isIssuedFrom } from './queries.ts'

/** Columns of the limits in `partners`, by their names on the wire. */
const COLUMNS = {
  maxKeysPerDay: 'limitDay',
  maxKeysPerWeek: 'limitWeek',
  maxKeysPerMonth: 'limitMonth',
  maxKeysTotal: 'limitTotal',
} as const satisfies Record<LimitName, keyof Database['partners']>

/** Selected partners, and the change of their limits. */
type Asked = ParsedInputOf<typeof previewEndpoint>
/** Limits of keys of a partner; null for no limit. */
type Limits = Record<LimitName, number | null>

/**
 * Returns the limits of a partner after the change. A raise leaves an unlimited partner as it is, and stops at
 * MAX_LIMIT.
 * @param asked `set` with new limits (null for none), or a raise by these numbers; an undefined limit stays
 */
function applyChange(before: Limits, asked: Asked): Limits {
  const after = { ...before }
  for (const name of LIMITS) {
    const value = asked[name]
    const present = before[name]
    if (value === undefined) continue
    if (asked.limitChange === 'set') after[name] = value
    else if (present !== null) after[name] = Math.min(present + (value ?? 0), MAX_LIMIT)
  }
  return after
}

/**
 * Determines what a change of limits would do: in `able` the selected partners within the caller's branch whose limits
 * change, by code, with the limits before and after; the number of the other selected ones; and the version of this
 * plan. Writes nothing.
 * @param isLocking locks the rows until the transaction ends
 * @throws {Refusal} BULK_TOO_LARGE if more than PARTNER_BULK_MAX are selected
 */
async function planChange(
  tx: Tx,
  { actor, now }: { actor: Actor; now: () => Date },
  asked: Asked,
  isLocking: boolean,
) {
  const { partnerCodes, found, except } = asked
  const chosen =
    found === undefined
      ? tx
          .selectFrom('partners as p')
          .where('p.code', '=', sql<string>`any(${partnerCodes}::text[])`)
          .where(inBranch(actor, sql.ref('p.affiliationCode')))
      : (await matchingPartners(tx, actor, found, now())).where(
          'p.code',
          '<>',
          sql<string>`all(${except}::text[])`,
        )
  const rows = await chosen
    .select([
      'p.id',
      'p.code',
      'p.name',
      'p.limitDay as maxKeysPerDay',
      'p.limitWeek as maxKeysPerWeek',
      'p.limitMonth as maxKeysPerMonth',
      'p.limitTotal as maxKeysTotal',
    ])
    .orderBy('p.code')
    .limit(PARTNER_BULK_MAX + 1)
    .$if(isLocking, (query) => query.forNoKeyUpdate('p'))
    .execute()
  if (rows.length > PARTNER_BULK_MAX) refuse('BULK_TOO_LARGE')
  const partners = rows.map(({ id, code, name, ...before }) => ({
    id,
    code,
    name,
    before,
    after: applyChange(before, asked),
  }))
  const able = partners.filter(({ before, after }) => LIMITS.some((name) => before[name] !== after[name]))
  // Codes that were deleted since they were chosen, or belong to another branch, are not among the rows.
  const chosenCount = found === undefined ? new Set(partnerCodes).size : rows.length
  const request = [asked.limitChange, ...LIMITS.map((name) => asked[name] ?? `${asked[name]}`)]
  return {
    able,
    unchangedCount: chosenCount - able.length,
    version: versionOf([request, ...partners.map(({ id, code, before }) => [id, code, before])]),
  }
}

/** Partners with the limits that a change would give them. */
type Planned = readonly { id: string; after: Limits }[]

/** Returns the SQL table `l` with ID and new limits of these partners. */
const limitsTable = (partners: Planned) =>
  sql`jsonb_to_recordset(${JSON.stringify(partners.map(({ id, after }) => ({ id, ...after })))}::jsonb)
    as l (id bigint, "maxKeysPerDay" int, "maxKeysPerWeek" int, "maxKeysPerMonth" int, "maxKeysTotal" int)`

/**
 * Returns partners.id of those that have been issued at least as many keys in the current period as a limit of the
 * change permits (rules/partners#bulk-limits).
 */
async function findUsedUp(tx: Tx, partners: Planned, asked: Asked, now: Date): Promise<Set<string>> {
  const cells = sql`(select id from key_cells where partner_id = l.id)`
  const issuedFrom = (day: RawBuilder<unknown>, days: number) =>
    sql`(select count(*) from issued_keys where cell_id in ${cells} and ${isIssuedFrom(day, days)})`
  const counted = sql`select coalesce(sum(n), 0) from key_months where cell_id in ${cells}`
  const isUsedUp: Record<LimitName, RawBuilder<unknown>> = {
    maxKeysPerDay: sql`l."maxKeysPerDay" <= ${issuedFrom(sql`p.today`, 1)}`,
    maxKeysPerWeek: sql`l."maxKeysPerWeek" <= ${issuedFrom(sql`p.week`, 7)}`,
    maxKeysPerMonth: sql`l."maxKeysPerMonth" <= (${counted} and month = p.month)`,
    maxKeysTotal: sql`l."maxKeysTotal" <= (${counted})`,
  }
  const changing = LIMITS.filter((name) => asked[name] !== undefined)
  const { rows } = await sql<{ id: string }>`
    with period as (${periodsAt(now)})
    select l.id from period p, ${limitsTable(partners)} where ${sql.join(
      changing.map((name) => isUsedUp[name]),
      sql` or `,
    )}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Previews a change of limits: how many partners would change, the first PARTNER_BULK_NAMED partners with their limits
 * before and after, and how many would have used a limit up already (rules/partners#bulk-limits). Writes
 * nothing. `version` is for `changeLimits`.
 * @throws {Refusal} BULK_TOO_LARGE
 */
export const previewLimits: Handler<typeof previewEndpoint> = (call, asked) =>
  call.db.transaction().execute(async (tx) => {
    const { able, unchangedCount, version } = await planChange(tx, call, asked, false)
    const usedUp = await findUsedUp(tx, able, asked, call.now())
    return {
      version,
      partnerCount: able.length,
      partners: able.slice(0, PARTNER_BULK_NAMED).map(({ id, code, name, before, after }) => ({
        partnerCode: code,
        partnerName: name,
        before,
        after,
        isUsedUp: usedUp.has(id),
      })),
      unchangedCount,
      usedUpCount: usedUp.size,
    }
  })

/**
 * Changes the limits of key issues of the selected partners as the preview showed it (rules/partners#bulk-limits). Only
 * partners within the caller's branch whose limits change get new limits and an audit row.
 * @throws {Refusal} BULK_TOO_LARGE; RECORD_CHANGED if anything differs from the preview; BULK_NOBODY if no limit
 * changes
 */
export const changeLimits: Handler<typeof changeEndpoint> = (call, { version, ...asked }) =>
  call.db.transaction().execute(async (tx) => {
    const plan = await planChange(tx, call, asked, true)
    if (plan.version !== version) refuse('RECORD_CHANGED')
    const { able } = plan
    if (able.length === 0) refuse('BULK_NOBODY')
    await sql`
      update partners p set limit_day = l."maxKeysPerDay", limit_week = l."maxKeysPerWeek",
        limit_month = l."maxKeysPerMonth", limit_total = l."maxKeysTotal", updated_at = now()
      from ${limitsTable(able)} where p.id = l.id`.execute(tx)
    await call.auditEach(
      tx,
      able.map(({ id, code, before, after }) => ({
        id,
        target: code,
        detail: differences(toColumns(before), toColumns(after)),
      })),
    )
    return { partnerCount: able.length }
  })

/** Returns limits by the names of their columns. */
const toColumns = (limits: Limits) => Object.fromEntries(LIMITS.map((name) => [COLUMNS[name], limits[name]]))
