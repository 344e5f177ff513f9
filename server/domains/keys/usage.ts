import { type Kysely, sql } from 'kysely'
import type { getPartnerUsage as endpoint } from '../../../contract/keys.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { isInForce } from '../partners/index.ts'

/** The calendar periods of limits, the longest first. */
export const PERIODS = ['total', 'month', 'week', 'day'] as const
/** A period of a limit. */
export type Period = (typeof PERIODS)[number]

/** Number of keys that a partner was issued in the periods that contain a given time. */
export interface Usage {
  /** True if the partner is valid on the Korean day of that time. */
  isInForce: boolean
  used: Record<Period, number>
  /** First day of each period; 1900-01-01 for `total`, which has none. */
  starts: Record<Period, string>
}

/**
 * Counts a partner's keys of today, this week (from Monday), this month and in all, in Asia/Seoul (rules/keys#limits). Exact while the
 * caller holds the lock on the partner: each key changes the counts in its transaction.
 */
export async function usageOf(db: Kysely<Database>, partnerId: string, now: Date): Promise<Usage> {
  const { rows } = await sql<
    Record<Period, string> & Record<`used_${Period}`, number> & { in_force: boolean }
  >`
    with at as (select (${now}::timestamptz at time zone 'Asia/Seoul')::date as today),
      period as (select today, date_trunc('week', today::timestamp)::date as week,
        date_trunc('month', today::timestamp)::date as month from at),
      cell as (select id from key_cells where partner_id = ${partnerId}),
      used_days as (
        select d.day, coalesce(sum(k.n), 0) as n from period p, generate_series(0, 6) as i,
          lateral (select p.week + i as day) as d
          join key_days k on k.day = d.day and k.cell_id in (select id from cell) group by d.day
      )
    select p.today::text as day, p.week::text, p.month::text, '1900-01-01' as total,
      (select coalesce(sum(n), 0)::float8 from used_days where day = p.today) as used_day,
      (select coalesce(sum(n), 0)::float8 from used_days) as used_week,
      (select coalesce(sum(n), 0)::float8 from key_months
        where month = p.month and cell_id in (select id from cell)) as used_month,
      (select coalesce(sum(n), 0)::float8 from key_months
        where cell_id in (select id from cell)) as used_total,
      (select ${isInForce('partners', sql.ref('p.today'))} from partners where id = ${partnerId}) as in_force
    from period p`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The usage query gave no row')
  const { day, week, month, total } = row
  return {
    isInForce: row.in_force,
    used: { day: row.used_day, week: row.used_week, month: row.used_month, total: row.used_total },
    starts: { day, week, month, total },
  }
}

/** Returns the usage of a partner's limits, for the administrators of the partner. See the contract. */
export const getPartnerUsage: Handler<typeof endpoint> = async ({ db, now }, { partnerCode }) => {
  const partner = await db
    .selectFrom('partners')
    .select(['id', 'limit_day', 'limit_week', 'limit_month', 'limit_total'])
    .where('code', '=', partnerCode)
    .executeTakeFirst()
  if (partner === undefined) return refuse('PARTNER_NOT_FOUND')
  const { used } = await usageOf(db, partner.id, now())
  return {
    day: { used: used.day, limit: partner.limit_day },
    week: { used: used.week, limit: partner.limit_week },
    month: { used: used.month, limit: partner.limit_month },
    total: { used: used.total, limit: partner.limit_total },
  }
}
