import { sql } from 'kysely'
import { type getPartnerUsage as usageEndpoint, USAGE_MARKS } from '../../../contract/keys.ts'
import { refuse } from '../../../contract/errors.ts'
import { reachesAffiliation } from '../../db/administers.ts'
import { periodsAt } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { isInForce, isIssuedFrom } from '../partners/index.ts'
import { issuedOn } from './key-selection.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { BY_PORTAL, queueMail } from '../../services/mail.ts'
import { notify, wantsMailAtOnce } from '../../records/notifications.ts'
import type { Settings } from '../../services/settings.ts'
import { holdersOf, inBranch } from '../roles/index.ts'

/** Calendar periods of limits, the longest first. */
export const PERIODS = ['total', 'month', 'week', 'day'] as const
/** Calendar period of a limit of keys. */
export type Period = (typeof PERIODS)[number]

/** Number of keys that a partner was issued in the day, week and month of a given time, and in all. */
export interface Usage {
  /** True if the partner is valid on the Korean day of that time. */
  isInForce: boolean
  used: Record<Period, number>
  /** First day of each period; 1900-01-01 for `total`, which has none. */
  starts: Record<Period, string>
}

/**
 * Returns the numbers of a partner's keys of today, this week (from Monday), this month and in all, in Asia/Seoul
 * (rules/keys#limits). Exact while the caller holds the lock on the partner: each key changes the counts in its
 * transaction.
 */
export async function usageOf(db: Db, partnerId: string, now: Date): Promise<Usage> {
  const { rows } = await sql<
    Record<Period, string> & Record<`used${Capitalize<Period>}`, number> & { inForce: boolean }
  >`
    with period as (${periodsAt(now)}),
      cell as (select id from key_cells where partner_id = ${partnerId}),
      used_days as (
        select ${issuedOn} as day, count(*)::float8 as n from issued_keys, period p
        where cell_id in (select id from cell) and ${isIssuedFrom(sql`p.week`, 7)}
        group by 1
      )
    select p.today::text as day, p.week::text, p.month::text, '1900-01-01' as total,
      (select coalesce(sum(n), 0) from used_days where day = p.today) as used_day,
      (select coalesce(sum(n), 0) from used_days) as used_week,
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
    isInForce: row.inForce,
    used: { day: row.usedDay, week: row.usedWeek, month: row.usedMonth, total: row.usedTotal },
    starts: { day, week, month, total },
  }
}

/**
 * Returns the numbers of keys that a partner within the caller's branch was issued in this day, week, month and in all,
 * with its limits (null for none).
 * @throws {Refusal} PARTNER_NOT_FOUND, also for a partner of another branch
 */
export const getPartnerUsage: Handler<typeof usageEndpoint> = async ({ db, actor, now }, { partnerCode }) => {
  const partner = await db
    .selectFrom('partners')
    .select(['id', 'limitDay', 'limitWeek', 'limitMonth', 'limitTotal'])
    .where('code', '=', partnerCode)
    .where(inBranch(actor, sql.ref('affiliationCode')))
    .executeTakeFirst()
  if (partner === undefined) return refuse('PARTNER_NOT_FOUND')
  const { used } = await usageOf(db, partner.id, now())
  return {
    day: { used: used.day, limit: partner.limitDay },
    week: { used: used.week, limit: partner.limitWeek },
    month: { used: used.month, limit: partner.limitMonth },
    total: { used: used.total, limit: partner.limitTotal },
  }
}

/**
 * Warns of each limit of keys that has reached one of USAGE_MARKS (80 or 100 %), in the transaction of the key that
 * reaches it. Warns once per limit, period and percentage, and only of the higher one for a key that reaches both.
 * Notifies the administrators of partners and the users of the partner, and queues a mail to the administrators who
 * want immediate mail.
 * @param usage with the key counted
 * @returns whether it queued a mail, so that the caller wakes the mail job
 */
export async function warnOfLimits(
  tx: Tx,
  partner: { id: string; code: string; affiliationCode: string; limits: Record<Period, number | null> },
  usage: Usage,
  settings: Settings,
): Promise<boolean> {
  const reached = PERIODS.flatMap((period) => {
    const limit = partner.limits[period]
    if (limit === null || limit === 0) return []
    return USAGE_MARKS.filter((mark) => usage.used[period] * 100 >= limit * mark).map((mark) => ({
      partnerId: partner.id,
      period,
      startsOn: usage.starts[period],
      keyLimit: limit,
      mark,
    }))
  })
  if (reached.length === 0) return false
  const first = await tx
    .insertInto('keyWarnings')
    .values(reached)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['period', 'mark', 'keyLimit'])
    .execute()
  if (first.length === 0) return false

  const administrators = await holdersOf(tx, 'autho_partner_search')
    .where(wantsMailAtOnce('KEY_LIMIT', 'users.id'))
    .where(reachesAffiliation('users', sql`${partner.affiliationCode}`))
    .select(['email', 'language'])
    .execute()
  const choices = settings.link('/notification/setting')
  const link = settings.link(`/partner/detail?partnerCode=${encodeURIComponent(partner.code)}`)
  const highest = PERIODS.flatMap((period) => {
    const marks = first.filter((row) => row.period === period)
    const [warning] = marks
    return warning === undefined ? [] : [{ warning, period, mark: Math.max(...marks.map((row) => row.mark)) }]
  })
  await notify(
    tx,
    ...highest.map(({ period, mark }) => ({
      kind: 'KEY_LIMIT' as const,
      partnerId: partner.id,
      detail: { partnerCode: partner.code, period, mark },
    })),
  )
  for (const { warning, period, mark } of highest) {
    const use = { partnerCode: partner.code, period, used: usage.used[period], limit: warning.keyLimit, mark }
    for (const { email, language } of administrators) {
      const text = mailTexts[language].keyLimitReached(settings.now().company, use)
      await queueMail(tx, { to: email, language, text, link, choices, requester: BY_PORTAL })
    }
  }
  return administrators.length > 0
}
