import { type RawBuilder, sql } from 'kysely'
import { inBranch } from '../roles/index.ts'
import type { Actor } from '../../../contract/permissions.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { PARTNER_STATES, NEAR_LIMIT } from '../../../contract/partners.ts'
import { dateText, midnight, periodsAt, timeText, today } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { contains } from '../../db/list.ts'
import { versionOf } from '../../db/version.ts'
import { affiliationName } from '../common/index.ts'

/** SQL expression for the state of a partner `p`: deactivated, expired, not valid yet, or valid. */
const partnerState = sql<(typeof PARTNER_STATES)[number]>`case
  when p.stopped_at is not null then 'stopped'
  when p.valid_to < ${today} then 'expired'
  when p.valid_from > ${today} then 'upcoming'
  else 'valid' end`

/** Returns the columns of a partner `p` that the list and the detail page show. */
export function partnerColumns(language: Language) {
  return [
    'p.code as partnerCode',
    'p.name as partnerName',
    partnerState.as('state'),
    timeText('p.stoppedAt').as('stoppedAt'),
    'p.type as partnerType',
    'p.affiliationCode',
    affiliationName('p.affiliationCode', language).as('affiliationName'),
    'p.provinceName',
    'p.districtName',
    'p.provinceCode',
    'p.x as longitude',
    'p.y as latitude',
    'p.limitDay as maxKeysPerDay',
    'p.limitWeek as maxKeysPerWeek',
    'p.limitMonth as maxKeysPerMonth',
    'p.limitTotal as maxKeysTotal',
    dateText('p.validFrom').as('validFrom'),
    // The partner is valid until the end of the last day (rules/partners#partner-validity).
    sql<string>`coalesce(p.valid_to::text || ' 23:59:59', '')`.as('validTo'),
  ] as const
}

/**
 * Returns a partner within the actor's branch by its code, as the detail page shows it, with the numbers of its users,
 * and the version of the fields that the form edits.
 * @returns undefined if there is none
 */
export async function findPartner(db: Db, actor: Actor, code: string, language: Language) {
  const partner = await db
    .selectFrom('partners as p')
    .where('p.code', '=', code)
    .where(inBranch(actor, sql.ref('p.affiliationCode')))
    .select(partnerColumns(language))
    .select((eb) => {
      const people = eb.selectFrom('users as u').whereRef('u.partnerId', '=', 'p.id')
      const count = sql<number>`count(*)::int`.as('count')
      return [
        'p.memo',
        'p.contact',
        people.where('u.withdrawnAt', 'is', null).select(count).$asScalar().$notNull().as('userCount'),
        people
          .where('u.withdrawnAt', 'is not', null)
          .select(count)
          .$asScalar()
          .$notNull()
          .as('withdrawnCount'),
        stopReason.as('stopReason'),
      ]
    })
    .executeTakeFirst()
  return (
    partner && {
      ...partner,
      stopReason: partner.stopReason ?? undefined,
      // Covers the fields that the form edits, without translated names and counts.
      version: versionOf([
        partner.provinceName,
        partner.districtName,
        partner.maxKeysPerDay,
        partner.maxKeysPerWeek,
        partner.maxKeysPerMonth,
        partner.maxKeysTotal,
        partner.validFrom,
        partner.validTo,
        partner.partnerName,
        partner.contact,
        partner.memo,
      ]),
    }
  )
}

/** SQL expression for the reason of a deactivation from the audit log; null for an active partner. */
const stopReason = sql<
  string | null
>`case when p.stopped_at is not null then (select a.detail ->> 'reason' from audit_log a
  where a.records @> array['partner/' || p.id] and a.action = 'partner.stop' order by a.id desc limit 1) end`

/**
 * Returns the SQL condition that a day is within a partner's validity period, first and last day included
 * (rules/partners#partner-validity).
 * @param partners the table or its alias
 */
export function isInForce(partners: string, day: RawBuilder<unknown>): RawBuilder<boolean> {
  const [from, to] = [sql.ref(`${partners}.validFrom`), sql.ref(`${partners}.validTo`)]
  return sql<boolean>`(coalesce(${from} <= ${day}, true) and coalesce(${to} >= ${day}, true))`
}

/**
 * Returns the SQL subquery for the IDs of the partners within the actor's branch that a code filter selects. The code
 * of a partner selects this partner alone, any other text selects all partners whose code contains it
 * (rules/lists#filters).
 */
export function partnersOfCode(actor: Pick<Actor, 'within'>, text: string): RawBuilder<unknown> {
  const isWithin = inBranch(actor, sql.ref('affiliationCode'))
  const isIt = sql`code = ${text.toUpperCase()} and ${isWithin}`
  return sql`(select id from partners where ${contains(sql.ref('code'), text)} and ${isWithin}
    and (${isIt} or not exists (select from partners where ${isIt})))`
}

/** Returns whether any partner has this code, also one of another branch. */
export async function isPartnerCode(db: Db, code: string): Promise<boolean> {
  const row = await db.selectFrom('partners').select('id').where('code', '=', code).executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the SQL query for ID and state of the partner of an affiliation with a code; no row if it does not exist. It
 * locks the row, so that the partner cannot be deleted before the transaction that refers to it ends.
 */
export function heldPartner(
  affiliation: string,
  code: string,
): RawBuilder<{ id: string; isStopped: boolean }> {
  return sql`select id, stopped_at is not null as is_stopped from partners where code = ${code} and affiliation_code = ${affiliation} for key share`
}

/**
 * Locks the selected partners, one per affiliation, until the transaction ends, so that they cannot be deleted.
 * @returns partners.id by code of the affiliation
 * @throws {Refusal} PARTNER_NOT_FOUND if a partner belongs to another affiliation or does not exist; PARTNER_STOPPED if
 * a partner is deactivated: no user may be given it (rules/partners#stop-partner)
 */
export async function holdPartners(
  tx: Tx,
  choices: readonly { affiliationCode: string; partnerCode: string }[],
): Promise<Map<string, string>> {
  const held = await tx
    .selectFrom('partners')
    .select(['id', 'affiliationCode', 'stoppedAt'])
    .where((eb) =>
      eb.or(
        choices.map((choice) =>
          eb.and({ affiliationCode: choice.affiliationCode, code: choice.partnerCode }),
        ),
      ),
    )
    .orderBy('id')
    .forKeyShare()
    .execute()
  if (held.length < choices.length) refuse('PARTNER_NOT_FOUND')
  if (held.some(({ stoppedAt }) => stoppedAt !== null)) refuse('PARTNER_STOPPED')
  return new Map(held.map(({ id, affiliationCode }) => [affiliationCode, id]))
}

/**
 * Returns the codes of the partners of an affiliation within the actor's branch that are not deactivated, valid ones
 * first, then ordered by code. The default one has `isDefault`, an expired or future one its `state`.
 */
export async function findPartnersOfAffiliation(db: Db, actor: Actor, affiliation: string) {
  const partners = await db
    .selectFrom('partners as p')
    .select([
      'p.code as partnerCode',
      sql<'valid' | 'upcoming' | 'expired'>`${partnerState}`.as('state'),
      sql<boolean>`exists (select from codes c where c.default_partner_id = p.id)`.as('isDefault'),
    ])
    .where('p.affiliationCode', '=', affiliation)
    .where(inBranch(actor, sql.ref('p.affiliationCode')))
    .where('p.stoppedAt', 'is', null)
    .orderBy(isInForce('p', today), 'desc')
    .orderBy('p.code')
    .execute()
  return partners.map(({ partnerCode, isDefault, state }) => ({
    partnerCode,
    ...(isDefault && { isDefault }),
    ...(state !== 'valid' && { state }),
  }))
}

/**
 * Returns the SQL condition that the partner `p` may be issued keys and has used NEAR_LIMIT percent of a limit. The
 * limit is that of today, this week, this month or in all (rules/partners#near-a-limit). Sums the counts once for all
 * partners that have such a limit (design/mail-and-notifications#to-do-list).
 */
export function nearLimit(now: Date): RawBuilder<boolean> {
  const day = sql`(select today from period)`
  // A sum over every month of every partner takes too long. The key that came near the present limit left a warning, unless it was issued
  // before an edit.
  const mayBeNear = sql`(l.updated_at > l.created_at
    or exists (select from key_warnings w where w.partner_id = l.id and w.period = 'total'))`
  return sql<boolean>`(p.stopped_at is null and p.id in (
    with period as (${periodsAt(now)}),
      near as (
        ${queryNearLimit('limit_day', issuedFrom(day, 1))} union all
        ${queryNearLimit('limit_week', issuedFrom(sql`(select week from period)`, 7))} union all
        ${queryNearLimit('limit_month', sql`key_months k on k.cell_id = c.id and k.month = (select month from period)`)} union all
        ${queryNearLimit('limit_total', sql`key_months k on k.cell_id = c.id and ${mayBeNear}`)}
      )
    select n.id from near n join partners v on v.id = n.id where ${isInForce('v', day)}
  ))`
}

/**
 * Returns the SQL condition that a row of issued_keys was issued in the days in Asia/Seoul from a first one.
 * @param day the first day
 * @param days number of days, with the first one
 */
export function isIssuedFrom(day: RawBuilder<unknown>, days: number): RawBuilder<boolean> {
  return sql<boolean>`(issued_at >= ${midnight(day)} and issued_at < ${midnight(sql`${day} + ${days}::int`)})`
}

/** Returns the SQL table `k`, with its join condition, for `queryNearLimit`: the numbers of the keys of `isIssuedFrom`. */
const issuedFrom = (day: RawBuilder<unknown>, days: number) =>
  sql`(select cell_id, count(*) as n from issued_keys where ${isIssuedFrom(day, days)} group by cell_id) k on k.cell_id = c.id`

/**
 * Returns the SQL query for the IDs of the partners whose keys have used NEAR_LIMIT percent of a limit.
 * @param limit column of the limit; a partner without a limit is not found
 * @param counts table and condition of the join, with the number of keys `k.n`
 */
function queryNearLimit(limit: string, counts: RawBuilder<unknown>) {
  const most = sql.ref(`l.${limit}`)
  return sql`select l.id from partners l join key_cells c on c.partner_id = l.id join ${counts}
    where ${most} > 0 group by l.id having sum(k.n) * 100 >= ${most}::bigint * ${sql.lit(NEAR_LIMIT)}`
}
