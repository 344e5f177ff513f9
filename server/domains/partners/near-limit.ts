import { type RawBuilder, sql } from 'kysely'
import { NEAR_LIMIT } from '../../../contract/partners.ts'
import { isInForce } from './queries.ts'

/**
 * Returns the condition that the partner `p` may be issued keys and has used most of a limit of today, this week, this month or in all
 * (rules/partners#near-a-limit). Sums the counts once for all partners that have such a limit (design/mail-and-notifications#to-do-list).
 */
export function nearLimit(now: Date): RawBuilder<boolean> {
  const day = sql`(select today from period)`
  // A sum over every month of every partner takes too long. The key that came near the present limit left a warning, unless it was issued
  // before an edit.
  const mayBeNear = sql`(l.updated_at > l.created_at
    or exists (select from key_warnings w where w.partner_id = l.id and w.period = 'total'))`
  return sql<boolean>`(p.stopped_at is null and p.id in (
    with at as (select (${now}::timestamptz at time zone 'Asia/Seoul')::date as today),
      period as (select today, date_trunc('week', today::timestamp)::date as week,
        date_trunc('month', today::timestamp)::date as month from at),
      near as (
        ${nearIn('limit_day', sql`key_days k on k.cell_id = c.id and k.day = ${day}`)} union all
        ${nearIn(
          'limit_week',
          sql`key_days k on k.cell_id = c.id
          and k.day between (select week from period) and (select week + 6 from period)`,
        )} union all
        ${nearIn('limit_month', sql`key_months k on k.cell_id = c.id and k.month = (select month from period)`)} union all
        ${nearIn('limit_total', sql`key_months k on k.cell_id = c.id and ${mayBeNear}`)}
      )
    select n.id from near n join partners v on v.id = n.id where ${isInForce('v', day)}
  ))`
}

/** Returns the query for the partners whose keys in these counts, `k`, have used most of a limit. */
function nearIn(limit: string, counts: RawBuilder<unknown>) {
  const most = sql.ref(`l.${limit}`)
  return sql`select l.id from partners l join key_cells c on c.partner_id = l.id join ${counts}
    where ${most} > 0 group by l.id having sum(k.n) * 100 >= ${most}::bigint * ${sql.lit(NEAR_LIMIT)}`
}
