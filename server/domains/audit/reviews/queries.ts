import { type RawBuilder, sql } from 'kysely'
import type { ReviewState } from '../../../../contract/audit.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { powersBeyond, ROLE } from '../../../../contract/permissions.ts'
import { RETENTION } from '../../../../contract/settings/retention.ts'
import { mayLogIn, midnight, orEmpty, timeText } from '../../../db/sql.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { functionsOf } from '../../roles/index.ts'

/** Returns the first day of a quarter in the format of the contract, YYYY-Qn. */
export function firstDayOf(quarter: string): string {
  const month = Number(quarter.slice(-1)) * 3 - 2
  return `${quarter.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
}

/** SQL expression for the first day of the current quarter in Seoul. */
const present = sql<string>`date_trunc('quarter', now() at time zone 'Asia/Seoul')::date`

/**
 * SQL subquery with one row: the first day of the current quarter in Seoul, as the column quarter. Give it the alias
 * q, which reviewDueAt, reviewId and reviewQuarter read.
 */
export const presentQuarter = sql`(select ${present} as quarter)`

/** SQL expression for the time at which the review of a quarter `q` is due: the start of the quarter. */
export const reviewDueAt = midnight(sql`q.quarter`)

/** SQL expression for the ID of the notification about a quarter `q`. */
export const reviewId = sql<string>`to_char(q.quarter, '"q"YYYYQ')`

/** SQL expression for a quarter `q` in the format of the contract. */
export const reviewQuarter = sql<string>`to_char(q.quarter, 'YYYY-"Q"Q')`

/** SQL expression for the retention of reviews as an interval, from the settings `s`. */
const keptFor = sql`make_interval(months => coalesce((s.retention->>'privacyRecords')::int, ${RETENTION.privacyRecords.usual}))`

/**
 * Returns the query for the quarters `q` that could be reviewed and whose retention has not ended, up to the current
 * one, with their reviews `r`. `isTold` is true if administrators are reminded of the quarter.
 */
function quartersOf(db: Db) {
  return db
    .selectFrom(
      sql<{ quarter: string; isPresent: boolean; isTold: boolean }>`(
        select day::date as quarter, day::date = ${present} as is_present, day >= s.reviews_from as is_told
        from settings s cross join generate_series(
          greatest(least(s.reviews_from, ${present}, (select min(quarter) from rights_reviews)),
            date_trunc('quarter', ${present} - ${keptFor}))::timestamp, ${present}, interval '3 months') as day)`.as(
        'q',
      ),
    )
    .leftJoin('rightsReviews as r', 'r.quarter', 'q.quarter')
}

/**
 * Returns the query for the quarters of `quartersOf` with the state of their reviews: signed, begun, missed (past and
 * not begun), due, or open (not begun, and without a reminder).
 */
export function findQuarters(db: Db) {
  return quartersOf(db).select([
    reviewQuarter.as('quarter'),
    sql<ReviewState>`case when r.signed_at is not null then 'SIGNED' when r.quarter is not null then 'BEGUN'
      when not q.is_present then 'MISSED' when q.is_told then 'DUE' else 'OPEN' end`.as('reviewState'),
    timeText('r.signedAt').as('signedAt'),
    orEmpty('r.signerName').as('signerName'),
  ])
}

/**
 * Returns the query for the quarters `q` that wait for a reviewer (rules/audit#review-reminder): the current one, and
 * those that were begun and not signed.
 */
export const dueReviews = (db: Db) =>
  quartersOf(db)
    .where('r.signedAt', 'is', null)
    .where(sql<boolean>`(q.is_told or not q.is_present) and (q.is_present or r.quarter is not null)`)

/** Returns the query for the past quarters `q` without a review, which is no longer possible. */
export const missedReviews = (db: Db) =>
  quartersOf(db)
    .where('r.quarter', 'is', null)
    .where(sql<boolean>`q.is_told and not q.is_present`)

/**
 * Returns a quarter with all columns of its review, which are '' if it was not begun.
 * @param quarter YYYY-Qn
 * @returns undefined if the quarter cannot be reviewed
 */
export function findQuarter(db: Db, quarter: string) {
  return findQuarters(db)
    .select([
      timeText('r.takenAt').as('takenAt'),
      orEmpty('r.takerName').as('takerName'),
      orEmpty('r.opinion').as('opinion'),
      orEmpty('r.signerLoginId').as('signerId'),
    ])
    .where('q.quarter', '=', firstDayOf(quarter))
    .executeTakeFirst()
}

/**
 * Returns the items of a review, by role: for each role, and for each user whose role is not the default one, the
 * permissions, the decision, and whether the actor may decide. `ownRemark` is true if the user of the item wrote the
 * remark. Leaves out items that are hidden from the actor (`isInReach`).
 */
export function findItems(db: Db, actor: SignedIn, quarter: string, language: Language) {
  return itemsOf(db, actor, quarter)
    .select([
      sql<string>`i.id::text`.as('itemId'),
      language === 'ko' ? 'i.roleName' : 'i.roleNameEn as roleName',
      'i.roleCode',
      'i.functions',
      sql<number | null>`i.members::float8`.as('userCount'),
      'i.personId',
      'i.loginId as userId',
      'i.name',
      sql<boolean>`coalesce(i.may_log_in, false)`.as('mayLogIn'),
      timeText('i.lastLoginAt').as('lastLoginAt'),
      'i.decision',
      'i.remark',
      timeText('i.remarkedAt').as('remarkedAt'),
      'i.remarkerName',
      sql<boolean>`coalesce(i.person_id = i.remarker_id, false)`.as('ownRemark'),
      decidableBy(actor).as('decidable'),
    ])
    .where(isInReach(actor))
    .orderBy(sql`cardinality(i.functions)`, 'desc')
    .orderBy('i.roleCode')
    .orderBy('i.loginId')
    .orderBy('i.id')
    .execute()
}

/** Returns the query for all items `i` of a review. */
const itemsOf = (db: Db, _actor: SignedIn, quarter: string) =>
  db.selectFrom('rightsReviewItems as i').where('i.quarter', '=', firstDayOf(quarter))

/**
 * Returns the SQL condition that an item `i` has no privileged permission that the actor lacks. Other items are hidden
 * from the actor: they are only counted, and cannot be decided (rules/roles#reach).
 */
const isInReach = (actor: SignedIn) =>
  sql<boolean>`not (i.functions && ${powersBeyond(actor, 'all')}::text[])`

/**
 * Returns the SQL condition that a role has the permissions of an item `i` and may manage roles, so that its users
 * could decide it.
 */
const suffices = (role: RawBuilder<string>) =>
  sql<boolean>`i.functions || 'autho_role_manage'::text <@ ${functionsOf(role)}`

/**
 * Returns the SQL condition that the actor may decide an item `i`. The actor must hold its permissions and must not be
 * its user, unless no other user could decide (rules/audit#review-decisions). A user whom the actor changed in the last
 * 30 days counts as able to, with the role before the change.
 */
function decidableBy(actor: SignedIn): RawBuilder<boolean> {
  return sql<boolean>`(i.functions <@ ${[...actor.functions]}::text[] and (i.person_id is distinct from ${actor.id}::bigint
    or (not exists (select from users other
        where other.id <> ${actor.id}::bigint and ${mayLogIn('other')} and ${suffices(sql`other.role_code`)})
      and not exists (select from audit_log l cross join unnest(l.records) as r (record)
        join users other on other.id = case when record like 'user/%' then split_part(record, '/', 2)::bigint end
        where l.actor_id = ${actor.id}::bigint and l.at > now() - interval '30 days'
          and other.id <> ${actor.id}::bigint
          and ${suffices(sql`coalesce(l.detail #>> '{roleCode,before}', other.role_code)`)}))))`
}

/** Returns whether a role, or a user whose role is not the default one, has permissions now that the review did not confirm. */
export async function hasUnconfirmedRights(tx: Tx, quarter: string): Promise<boolean> {
  const { rows } = await sql<{ isFound: boolean }>`
    with r as materialized (select code, ${functionsOf(sql.ref('roles.code'))} as functions from roles),
    present as (
      select code, functions, null::bigint as person_id from r
      union all select r.code, r.functions, u.id from users u join r on r.code = u.role_code where ${hasMore})
    select exists (
      select from present p
      left join rights_review_items i on i.quarter = ${firstDayOf(quarter)}::date and i.role_code = p.code
        and coalesce(i.person_id, 0) = coalesce(p.person_id, 0) and i.decision = 'CONFIRMED' and i.functions = p.functions
      where i.id is null
    ) as is_found`.execute(tx)
  return rows[0]?.isFound === true
}

/**
 * SQL condition that a user `u` is reviewed individually: not withdrawn, and with another role than the default one.
 */
const hasMore = sql`(u.role_code <> ${ROLE.user} and u.withdrawn_at is null)`

/**
 * Returns the numbers of items that are reviewed in a quarter, that are decided, and that are hidden from the actor.
 */
export function countItems(db: Db, actor: SignedIn, quarter: string) {
  return itemsOf(db, actor, quarter)
    .select([
      sql<number>`count(*)::float8`.as('itemCount'),
      sql<number>`(count(*) filter (where decision <> ''))::float8`.as('decidedCount'),
      sql<number>`(count(*) filter (where not ${isInReach(actor)}))::float8`.as('hiddenCount'),
    ])
    .executeTakeFirstOrThrow()
}

/**
 * Locks items of a review by ID until the transaction ends. Returns the login ID and current role of their users,
 * whether the actor holds their permissions (`isHeld`), and whether the actor may decide them. Omits items that are
 * hidden from the actor.
 */
export function lockItems(tx: Tx, actor: SignedIn, quarter: string, ids: readonly string[]) {
  return itemsOf(tx, actor, quarter)
    .leftJoin('users as u', 'u.id', 'i.personId')
    .select([
      'i.id',
      'i.roleCode',
      'i.personId',
      'i.decision',
      'u.loginId',
      'u.roleCode as presentRole',
      isInReach(actor).as('isInReach'),
      sql<boolean>`i.functions <@ ${[...actor.functions]}::text[]`.as('isHeld'),
      decidableBy(actor).as('decidable'),
    ])
    .where(isInReach(actor))
    .where(sql<boolean>`i.id = any(${ids}::bigint[])`)
    .orderBy('i.id')
    .forUpdate('i')
    .execute()
}

/**
 * Locks a review until the transaction ends, and returns when it was signed.
 * @returns undefined if the review was not begun
 */
export function lockReview(tx: Tx, quarter: string) {
  return tx
    .selectFrom('rightsReviews')
    .select('signedAt')
    .where('quarter', '=', firstDayOf(quarter))
    .forUpdate()
    .executeTakeFirst()
}

/** Creates the review of a quarter, without items, if it does not exist. */
export async function beginReview(tx: Tx, quarter: string): Promise<void> {
  await sql`insert into rights_reviews (quarter, taker_name) values (${firstDayOf(quarter)}::date, '') on conflict do nothing`.execute(
    tx,
  )
}

/**
 * Replaces the items of a review by the current permissions: of every role, and of every user whose role is not the
 * default one. A confirmation stays valid while the permissions of the role are unchanged. A withdrawn item stays, and
 * has to be decided again if its permissions exist again.
 * @param takerName name of the user who requests this
 */
export async function storeCurrentRights(tx: Tx, quarter: string, takerName: string): Promise<void> {
  const day = sql`${firstDayOf(quarter)}::date`
  // Each row is looked up by its key, so that no user of thousands is compared with all others.
  await sql`delete from rights_review_items i where quarter = ${day} and decision <> 'WITHDRAWN' and case
    when person_id is null then not exists (select from roles r where r.code = i.role_code)
    else not exists (select from users u where u.id = i.person_id and u.role_code = i.role_code and ${hasMore}) end`.execute(
    tx,
  )
  const kept = sql`(i.decision = 'CONFIRMED' and i.functions = excluded.functions)`
  await sql`
    with r as materialized (
      select code, group_name, name_en, ${functionsOf(sql.ref('roles.code'))} as functions,
        (select count(*) from users m where m.role_code = roles.code and m.withdrawn_at is null) as members
      from roles
    )
    insert into rights_review_items as i (quarter, role_code, role_name, role_name_en, functions, members, person_id, login_id,
      name, may_log_in, last_login_at)
    select ${day}, r.code, r.group_name, r.name_en, r.functions, r.members, null, '', '', null, null from r
    union all
    select ${day}, r.code, r.group_name, r.name_en, r.functions, null, u.id, u.login_id, u.name, ${mayLogIn('u')}, u.last_login_at
      from users u join r on r.code = u.role_code where ${hasMore}
    on conflict (quarter, role_code, person_id) do update set role_name = excluded.role_name, role_name_en = excluded.role_name_en,
      functions = excluded.functions, members = excluded.members, login_id = excluded.login_id, name = excluded.name,
      may_log_in = excluded.may_log_in, last_login_at = excluded.last_login_at,
      decision = case when ${kept} then i.decision else '' end, remark = case when ${kept} then i.remark else '' end,
      remarked_at = case when ${kept} then i.remarked_at end, remarker_id = case when ${kept} then i.remarker_id end,
      remarker_name = case when ${kept} then i.remarker_name else '' end`.execute(tx)
  await sql`update rights_reviews set taken_at = now(), taker_name = ${takerName} where quarter = ${day}`.execute(
    tx,
  )
}

/**
 * Stores the decision on items, with the remark, its time and its author. Changes no permissions.
 * @param ids rights_review_items.id
 */
export async function saveDecision(
  tx: Tx,
  ids: readonly string[],
  { decision, remark, remarker }: { decision: 'CONFIRMED' | 'WITHDRAWN'; remark: string; remarker: SignedIn },
): Promise<void> {
  await tx
    .updateTable('rightsReviewItems')
    .set({
      decision,
      remark,
      remarkedAt: sql`now()`,
      remarkerId: remarker.id,
      remarkerName: remarker.name,
    })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute()
}
