import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { PERSONAL_ACTS, type listAccess } from '../../../../contract/audit.ts'
import type { ParsedInputOf } from '../../../../contract/endpoint.ts'
import type { FoundPage, Page } from '../../../db/list.ts'
import { midnight } from '../../../db/sql.ts'
import { all, hasLoginIdOrName } from '../find.ts'
import { pathOf } from './call-names.ts'

/** Filters and sort order of a search in the access log. */
type Asked = Omit<ParsedInputOf<typeof listAccess>, 'page' | 'perPage'>

/** Filters of a search in the access log; empty = no filter. */
export type AccessFilter = Omit<Asked, 'sort' | 'order'>

/** Returns the SQL sort direction: the newest first unless the oldest are requested. */
export const directionOf = ({ sort, order }: Pick<Asked, 'sort' | 'order'>): RawBuilder<unknown> =>
  sql.raw(sort !== '' && order === 'ASC' ? 'asc' : 'desc')

/**
 * Returns the SQL query for the number of rows of the access log that a search matches, and the IDs of a page
 * (design/access-log#search). For period, kind of access and outcome, the counts per day give both. For a user or an
 * address, the rows of each month are counted in its index, and only the months of the page are read.
 */
export function findAccess(asked: Asked, page: Page): RawBuilder<FoundPage> {
  const { actor, subject, address } = asked
  if (actor === '' && subject === '' && address === '') return findByDays(asked, page)
  return findByMonths(asked, indexedConditions(asked), page, directionOf(asked))
}

/** Returns SQL conditions for a search by user or address, at most one of which matches a row `l`. Each has its own index. */
function indexedConditions(filter: AccessFilter): RawBuilder<boolean>[] {
  const { actor, subject } = filter
  const rest = all([ofAddress(filter), ofAction(filter), ofOutcome(filter)])
  const arms =
    actor !== '' && subject !== ''
      ? [all([isBy(actor), isOf(subject)])]
      : actor !== ''
        ? [byAccount, byTried(actor)]
        : subject !== ''
          ? [ofAccount, sql<boolean>`(${ofNamed(subject)} and not ${ofAccount})`]
          : [sql<boolean>`true`]
  return arms.map((arm) => sql<boolean>`(${arm} and ${rest})`)
}

/** SQL expression for the ID of a row, which users and calls see: its month and its position in it. */
const accessId = sql<string>`to_char(month, 'YYYYMM') || '-' || position`

/**
 * Returns the SQL condition that a range of rows overlaps a page, and the offset and limit of the page in it. The query
 * must have `before`, the number of rows before the range, and `n`, the number in it.
 */
const partOf = ({ page, perPage }: Page) => {
  const first = sql`${(page - 1) * perPage}::bigint`
  const end = sql`${page * perPage}::bigint`
  return {
    isOnPage: sql<boolean>`before < ${end} and before + n > ${first}`,
    rows: sql`offset greatest(${first} - before, 0) limit least(${end}, before + n) - greatest(${first}, before)`,
  }
}

/**
 * Returns the SQL query of `findAccess` for conditions with indexes, month by month.
 * @param arms SQL conditions on rows `l`, at most one of which matches a row
 */
export function findByMonths(
  filter: Partial<AccessFilter>,
  arms: readonly RawBuilder<boolean>[],
  page: Page,
  direction: RawBuilder<unknown> = sql.raw('desc'),
): RawBuilder<FoundPage> {
  const part = partOf(page)
  // Not a range of the primary key: for unknown bounds PostgreSQL estimates so few rows that it would read the whole month.
  const within = sql`l.month = m.month and l.position + 0 > m.low and l.position + 0 <= m.high`
  const counts = arms.map((arm) => sql`(select count(*) from access_log l where ${within} and ${arm})`)
  // Each index is searched by itself and the result is sorted. In the order of the list PostgreSQL might read the whole month.
  const found = arms.map(
    (arm) => sql`(select l.position from access_log l where ${within} and ${arm} offset 0)`,
  )
  return sql<FoundPage>`
    with who as materialized (select array(select id from users where ${personOf(filter.actor)}) as ids),
    whose as materialized (select array(select id from users where ${personOf(filter.subject)}) as ids),
    bounds as materialized (${boundsOf(filter)}),
    counted as materialized (
      select month, low, high, n, (sum(n) over (order by month ${direction}) - n)::bigint as before
      from (select m.*, ${sql.join(counts, sql` + `)} as n from bounds as m offset 0) as m where n > 0
    )
    select (select coalesce(sum(n), 0)::float8 from counted) as total_count, array(
      select ${accessId} from (select * from counted where ${part.isOnPage}) as m
      cross join lateral (
        select position from (${sql.join(found, sql` union all `)}) as found
        order by position ${direction} ${part.rows}
      ) as place
      order by month ${direction}, position ${direction}
    ) as ids`
}

/** Returns the SQL query of `findAccess` by the counts per day. It reads only the days in which the page lies. */
function findByDays(asked: Asked, page: Page): RawBuilder<FoundPage> {
  const direction = directionOf(asked)
  const part = partOf(page)
  const { accessedFrom, accessedTo } = asked
  const days = all([
    accessedFrom !== '' && sql<boolean>`day >= ${accessedFrom}`,
    accessedTo !== '' && sql<boolean>`day <= ${accessedTo}`,
    ofAction(asked),
    asked.outcome !== '' && sql<boolean>`refused = ${asked.outcome === 'REFUSED'}`,
    sql<boolean>`date_trunc('month', day::timestamp)::date in (select month from access_log_heads where archived_at is null)`,
  ])
  const rows = all([ofAction(asked), ofOutcome(asked)])
  return sql<FoundPage>`
    with counted as materialized (
      select day, n, (sum(n) over (order by day ${direction}) - n)::bigint as before
      from (select day, sum(n)::bigint as n from access_counts where ${days} group by day) as d where n > 0
    ),
    bounds as materialized (
      select h.month, n, before, access_log_before(h.month, ${midnight(sql`day`)}, h.position) as low,
        access_log_before(h.month, ${midnight(sql`day + 1`)}, h.position) as high
      from counted join access_log_heads h on h.month = date_trunc('month', day::timestamp)::date where ${part.isOnPage}
    )
    select (select coalesce(sum(n), 0)::float8 from counted) as total_count, array(
      select ${accessId} from bounds as m cross join lateral (
        select l.position from access_log l
        where l.month = m.month and l.position > m.low and l.position <= m.high and ${rows}
        order by l.position ${direction} ${part.rows}
      ) as place
      order by month ${direction}, position ${direction}
    ) as ids`
}

/**
 * Returns the SQL query for the months that are in the database and overlap the period. The rows of the period have
 * positions above `low`, and up to `high`.
 */
function boundsOf({ accessedFrom = '', accessedTo = '' }: Partial<AccessFilter>) {
  const from = midnight(sql`${accessedFrom}`)
  const end = midnight(sql`${accessedTo}::date + 1`)
  const start = midnight(sql`month`)
  const next = midnight(sql`month + interval '1 month'`)
  return sql`select month,
      ${accessedFrom === '' ? sql`0::bigint` : sql`case when ${from} > ${start} then access_log_before(month, ${from}, position) else 0 end`} as low,
      ${accessedTo === '' ? sql`position` : sql`case when ${end} < ${next} then access_log_before(month, ${end}, position) else position end`} as high
    from access_log_heads where ${all([
      sql<boolean>`archived_at is null`,
      accessedFrom !== '' && sql<boolean>`${next} > ${from}`,
      accessedTo !== '' && sql<boolean>`${start} < ${end}`,
    ])}`
}

/** Returns the SQL condition on `users` for a login ID or full name; false for ''. */
const personOf = (called = '') => (called === '' ? sql`false` : hasLoginIdOrName(called))

/**
 * SQL condition that the caller of a row `l` of `findByMonths` is one of the users with the searched login ID or name. The
 * query finds these users once.
 */
const byAccount = sql<boolean>`l.actor_id = any((select ids from who)::bigint[])`
/** SQL condition that a data subject of a row `l` of `findByMonths` is one of the users with the searched login ID or name. */
const ofAccount = sql<boolean>`l.subjects && (select ids from whose)::bigint[]`
/** Returns the SQL condition that a row `l` has no user as its caller, and this ID was tried. The log has it in lower case. */
const byTried = (actor: string) => sql<boolean>`(l.actor_id is null and l.actor = ${actor.toLowerCase()})`
/** Returns the SQL condition that a row `l` names this login ID, which no account had, as a data subject. */
const ofNamed = (subject: string) =>
  subject.toLowerCase() === 'null'
    ? sql<boolean>`(l.named <> '{}' and (l.named @> array['null'] or ${hasNull}))`
    : sql<boolean>`(l.named <> '{}' and l.named @> array[${subject.toLowerCase()}]::text[])`
/** SQL condition that a row from before migration 082 names the ID `null`: it stored this ID as an SQL NULL. */
export const hasNull = sql<boolean>`array_position(l.named, null) is not null`
/** Returns the SQL condition that the caller of a row `l` is, or tried, this login ID or has this name. */
const isBy = (actor: string) => sql<boolean>`(${byAccount} or ${byTried(actor)})`
/** Returns the SQL condition that a data subject of a row `l` has this login ID or name. */
const isOf = (subject: string) => sql<boolean>`(${ofAccount} or ${ofNamed(subject)})`

/** Returns the SQL condition for the searched address of a row `l`; false if none is searched. */
const ofAddress = ({ address }: AccessFilter) => address !== '' && sql<boolean>`l.address = ${address}`

/** Returns the SQL condition for the searched kind of access, or the searched call by its name; false if none is searched. */
const ofAction = ({ action }: AccessFilter) =>
  action !== '' &&
  (PERSONAL_ACTS.some((act) => act === action)
    ? sql<boolean>`act = ${action}`
    : sql<boolean>`call = ${pathOf(action)}`)

/** Returns the SQL condition for refused rows `l` or for successful ones; false if neither is searched. */
const ofOutcome = ({ outcome }: AccessFilter) =>
  outcome !== '' && (outcome === 'REFUSED' ? sql<boolean>`l.result <> ''` : sql<boolean>`l.result = ''`)

/**
 * Returns the SQL condition that a row `l` matches a search, the same rows as `findAccess`, for an export, which reads
 * all pages.
 */
export function matchesAccessFilter(filter: AccessFilter): RawBuilder<boolean> {
  const { accessedFrom, accessedTo, actor, subject } = filter
  const who = sql`array(select id from users where ${personOf(actor)})`
  const whose = sql`array(select id from users where ${personOf(subject)})`
  return all([
    accessedFrom !== '' && sql<boolean>`l.at >= ${midnight(sql`${accessedFrom}`)}`,
    accessedFrom !== '' && sql<boolean>`l.month >= date_trunc('month', ${accessedFrom}::timestamp)::date`,
    accessedTo !== '' && sql<boolean>`l.at < ${midnight(sql`${accessedTo}::date + 1`)}`,
    accessedTo !== '' && sql<boolean>`l.month <= ${accessedTo}::date`,
    actor !== '' && sql<boolean>`(l.actor_id = any(${who}) or ${byTried(actor)})`,
    subject !== '' && sql<boolean>`(l.subjects && ${whose} or ${ofNamed(subject)})`,
    ofAddress(filter),
    ofAction(filter),
    ofOutcome(filter),
  ])
}

/**
 * Merges the rows of `access_counts` that have the same day, kind of access, call and outcome into one row with their
 * sum (design/lists-and-counts#stored-counts). Deletes the rows of months that were moved to files. Uses one statement:
 * a concurrent reader sees the rows either before or after all of this.
 */
export async function mergeAccessCounts(pool: pg.Pool): Promise<void> {
  await pool.query(`with gone as (
      delete from access_counts where (day, act, call, refused) in (
        select day, act, call, refused from access_counts group by 1, 2, 3, 4 having count(*) > 1)
      or date_trunc('month', day::timestamp)::date in (select month from access_log_heads where archived_at is not null)
      returning day, act, call, refused, n
    )
    insert into access_counts select day, act, call, refused, sum(n) from gone
    where date_trunc('month', day::timestamp)::date in (select month from access_log_heads where archived_at is null)
    group by 1, 2, 3, 4`)
}
