import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { listAudit } from '../../../contract/audit.ts'
import { RIGHTS } from '../../../contract/audit-actions.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { compactCounts } from '../../db/compact-counts.ts'
import { COUNTED_PEOPLE, type FoundPage, type Page } from '../../db/list.ts'
import { midnight } from '../../db/sql.ts'
import { nameContains } from '../../db/user-search.ts'
import type { Db } from '../../db/database.ts'

/** Filters of a search in the audit log; empty = no filter. */
export type AuditFilter = Omit<ParsedInputOf<typeof listAudit>, 'page' | 'perPage'>

/**
 * Returns the SQL query for the number of rows that a search of the audit log matches, and the IDs of a page, newest
 * first. By period and action the counts per day give both (design/audit-log#records-of-a-row). By address or user the
 * rows are counted in an index, and the page is read from it. By record there are few rows.
 */
export function findAudit(filter: AuditFilter, page: Page): RawBuilder<FoundPage> {
  const { actor, target, action, address } = filter
  if (target !== '') return findByReading(matchesFilter(filter), page)
  if (actor !== '') return findOfActors(filter, page)
  // Changes of permissions have an index of their own. The counts do not include what was changed.
  const isCounted = address === '' && action !== RIGHTS
  return isCounted ? findByCounts(filter, page) : findInOrder(matchesFilter(filter), page)
}

/**
 * Returns the SQL query for a page of many rows, for which an index has the order of the list. Sorting all rows
 * would take longer than counting.
 */
function findInOrder(condition: RawBuilder<boolean>, { page, perPage }: Page) {
  return sql<FoundPage>`
    select (select count(*)::int from audit_log where ${condition}) as total_count, array(
      select id from audit_log where ${condition}
      order by at desc, id desc offset ${(page - 1) * perPage}::bigint limit ${perPage}
    ) as ids`
}

/**
 * Returns the SQL query for a page of the rows of every user with this login ID or name, newest first. Reads them user
 * by user, because their index has the order of the list only for a single user.
 */
function findOfActors({ actor, ...filter }: AuditFilter, { page, perPage }: Page) {
  const condition = matchesFilter({ ...filter, actor: '' })
  const end = sql`${page * perPage}::bigint`
  return sql<FoundPage>`
    with who as materialized (select id from users where ${hasLoginIdOrName(actor)})
    select (
      select coalesce(sum(n), 0)::int from who
      cross join lateral (select count(*) as n from audit_log where actor_id = who.id and ${condition}) as each
    ) as total_count, array(
      select newest.id from who cross join lateral (
        select id, at from audit_log where actor_id = who.id and ${condition} order by at desc, id desc limit ${end}
      ) as newest
      order by newest.at desc, newest.id desc offset ${(page - 1) * perPage}::bigint limit ${perPage}
    ) as ids`
}

/** Returns the SQL query for a page of the few rows that fulfill a condition. It reads all these rows. */
export function findByReading(condition: RawBuilder<boolean>, { page, perPage }: Page) {
  return sql<FoundPage>`
    with found as materialized (select id, at from audit_log where ${condition})
    select (select count(*)::int from found) as total_count, array(
      select id from found order by at desc, id desc offset ${(page - 1) * perPage}::bigint limit ${perPage}
    ) as ids`
}

/**
 * Returns the SQL query for a page by the counts per day and action. It reads only the days in which the page lies,
 * however old they are.
 */
function findByCounts(filter: AuditFilter, { page, perPage }: Page) {
  const offset = sql`${(page - 1) * perPage}::bigint`
  return sql<FoundPage>`
    with day as materialized (
      select day as at, sum(n) as n from audit_counts where ${countedDays(filter)} group by day having sum(n) > 0
    ),
    run as (select at, sum(n) over (order by at desc) - n as before from day),
    start as materialized (
      select at, before from run where before <= ${offset} order by at limit 1
    )
    select (select coalesce(sum(n), 0)::float8 from day) as total_count, array(
      select id from audit_log where ${matchesFilter(filter)}
        and at < (select ${midnight(sql`at + 1`)} from start)
      order by at desc, id desc offset (select ${offset} - before from start) limit ${perPage}
    ) as ids`
}

/** Returns the SQL condition of a search on the rows of `audit_counts`, by period and action. */
function countedDays({ changedFrom, changedTo, action }: AuditFilter) {
  return all([
    changedFrom !== '' && sql<boolean>`day >= ${changedFrom}`,
    changedTo !== '' && sql<boolean>`day <= ${changedTo}`,
    action !== '' && isAction(action),
  ])
}

/** Returns the SQL condition of a search on the rows of the audit log. */
export function matchesFilter(filter: AuditFilter): RawBuilder<boolean> {
  const { changedFrom, changedTo, actor, target, action, address } = filter
  return all([
    changedFrom !== '' && sql<boolean>`at >= ${midnight(sql`${changedFrom}`)}`,
    changedTo !== '' && sql<boolean>`at < ${midnight(sql`${changedTo}::date + 1`)}`,
    action !== '' && isAction(action),
    actor !== '' && sql<boolean>`actor_id in (select id from users where ${hasLoginIdOrName(actor)})`,
    target !== '' && isAbout(target),
    address !== '' && sql<boolean>`address = ${address}`,
  ])
}

/** Returns the SQL condition that a user has this login ID or exactly this name. */
export const hasLoginIdOrName = (actor: string) =>
  sql<boolean>`(login_id = ${actor.toLowerCase()} or (${nameContains(sql.ref('name'), actor)} and name = ${actor}))`

/**
 * Returns the users.id that a search by login ID or full name matches, at most COUNTED_PEOPLE, for the access log: the
 * number of results alone reveals data about them (rules/audit#counted-people).
 * @param names texts of the search; '' matches no user
 */
export async function findPeopleByName(db: Db, ...names: readonly string[]): Promise<string[]> {
  const given = names.filter((name) => name !== '').map(hasLoginIdOrName)
  const query = db.selectFrom('users').select('id').limit(COUNTED_PEOPLE)
  return given.length === 0 ? [] : (await query.where((eb) => eb.or(given)).execute()).map(({ id }) => id)
}

/**
 * Returns the SQL condition that a row of the audit log is about the record with this name: a login ID, partner code,
 * or name of a role or affiliation. A name that a record has now means this record only, even if another had the name
 * before. A name that no record has any more is compared with the name in the row (rules/audit#records-of-a-row).
 */
function isAbout(target: string): RawBuilder<boolean> {
  const bearers = sql`array(
    select 'user/' || id from users where login_id = ${target.toLowerCase()}
    union all select 'partner/' || id from partners where code = ${target.toUpperCase()}
    union all select 'role/' || code from roles where ${target} in (group_name, name_en)
    union all select 'affiliation/' || code from codes
      where group_code = ${CODE_GROUP.affiliation} and ${target} in (name_ko, name_en))`
  return sql<boolean>`(records && ${bearers}
    or (target = any(${[target, target.toLowerCase(), target.toUpperCase()]}::text[])
      and (records is null or cardinality(${bearers}) = 0)))`
}

/**
 * Returns the SQL condition for an action such as 'user.update', for all actions of a noun such as 'user', or for all
 * changes of permissions (RIGHTS, rules/audit#rights).
 */
export function isAction(action: string): RawBuilder<boolean> {
  if (action === RIGHTS) return sql<boolean>`is_rights_record(action, detail)`
  return action.includes('.') ? sql<boolean>`action = ${action}` : sql<boolean>`action like ${`${action}.%`}`
}

/** Joins SQL conditions with `and`; `true` if there are none. Ignores `false` entries, for filters that are not set. */
export function all(conditions: (RawBuilder<boolean> | false)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== false)
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(given, sql` and `)})`
}

/** Merges the rows of `audit_counts` that have the same day and action into one row with their sum. */
export function mergeAuditCounts(pool: pg.Pool): Promise<void> {
  return compactCounts(pool, 'audit_counts', ['day', 'action'])
}
