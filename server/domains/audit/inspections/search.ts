import { type Kysely, sql } from 'kysely'
import { FINDINGS_PER_RULE, type InspectionRule } from '../../../../contract/audit.ts'
import { midnight } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { SearchRules } from './rules.ts'

/** A finding of a rule on one day, as it is stored. */
export interface FoundItem {
  rule: InspectionRule
  /** Day in the format YYYY-MM-DD. */
  day: string
  /** users.id of the user of the finding; null if it is an address or an ID without an account. */
  personId: string | null
  /** The ID that was entered, if it is not an account. */
  loginId: string
  /** '' if the rule does not count by address. */
  address: string
  /** Number that the rule counts, at least its threshold. */
  amount: number
}

/**
 * Result of a rule in a month: the number of findings, and in `found` the largest findings, at most FINDINGS_PER_RULE.
 * `comparable` is false for new addresses if the database has no earlier month to compare with.
 */
export interface RuleResult {
  rule: InspectionRule
  enabled: boolean
  /** Number from which the rule reports a finding. */
  threshold: number
  findingCount: number
  comparable: boolean
  found: FoundItem[]
}

/** Day with rows. They have positions above `low`, and up to `high`. */
interface Day {
  day: string
  low: string
  high: string
  isWeekend: boolean
}

/** Number of previous months that are searched for a user's usual addresses. */
const MONTHS_BEFORE = 3

/**
 * Searches a month of the access log by the rules (rules/audit#inspection-rules). Searches day by day: times increase
 * with the numbers of the rows, so a day is a range of numbers, and its sums are small.
 * @param month its first day
 * @param records the number of its rows
 * @returns the result of each rule
 */
export async function searchLog(
  db: Kysely<Database>,
  month: string,
  records: string,
  set: SearchRules,
): Promise<RuleResult[]> {
  const limit = new Map(set.rules.flatMap((one) => (one.enabled ? [[one.rule, one.threshold]] : [])))
  const found: FoundItem[] = []
  const places = new Map<string, FoundItem>()
  for (const day of await daysOf(db, month, records)) {
    const people = await peopleOn(db, month, day, set)
    for (const { isPlace, personId, address, ...amounts } of people) {
      const rest = { day: day.day, personId, loginId: '' }
      if (isPlace) addPlace(places, { rule: 'newAddress', ...rest, address, amount: amounts.places })
      else
        for (const rule of ['manyRecords', 'outsideHours', 'exports', 'refusals'] as const)
          found.push({ rule, ...rest, address: '', amount: amounts[rule] })
    }
    found.push(...(await failuresOn(db, month, day)))
    if (limit.has('manyReaders'))
      found.push(...(await findOftenRead(db, month, day, limit.get('manyReaders') ?? 1)))
  }
  const before = limit.has('newAddress') ? await monthsBefore(db, month) : []
  const often = [...places.values()].filter(({ amount }) => amount >= (limit.get('newAddress') ?? Infinity))
  if (before.length > 0) found.push(...(await neverBefore(db, before, often)))

  return set.rules.map((one) => {
    const own = found.filter(
      ({ rule, amount }) => rule === one.rule && amount >= (limit.get(rule) ?? Infinity),
    )
    return {
      ...one,
      findingCount: own.length,
      comparable: one.rule !== 'newAddress' || before.length > 0,
      found: own.toSorted((a, b) => b.amount - a.amount).slice(0, FINDINGS_PER_RULE),
    }
  })
}

/** Returns the days of the month that have rows, in order. */
async function daysOf(db: Kysely<Database>, month: string, records: string): Promise<Day[]> {
  const start = midnight(sql`day`)
  const { rows } = await sql<Day>`
    with days as (
      select day::date::text as day, access_log_before(${month}::date, ${start}, ${records}::bigint) as low,
        access_log_before(${month}::date, ${start} + interval '1 day', ${records}::bigint) as high,
        extract(isodow from day) > 5 as is_weekend
      from generate_series(${month}::timestamp, ${month}::timestamp + interval '1 month' - interval '1 day', '1 day') as day
    )
    select * from days where low < high order by day`.execute(db)
  return rows
}

/** SQL join that adds `people`: the number of data subjects of a row `l`, without its actor. */
const countOfPeople = sql`cross join lateral (
  select cardinality(l.subjects) + cardinality(l.named) - (l.actor_id = any(l.subjects))::int as people) as counted`

/** Returns the SQL `from` clause for the rows of a day. */
const rowsOf = (month: string, { low, high }: Day, joined = sql``) =>
  sql`access_log as l ${joined} where l.month = ${sql.lit(month)}::date and l.position > ${sql.lit(low)}::bigint
    and l.position <= ${sql.lit(high)}::bigint`

/** SQL condition that a row was recorded in error (rules/audit#access-annotations). */
const isInError = sql<boolean>`exists (select from access_annotations n where n.month = l.month and n.position = l.position)`

/**
 * Counts of what a user did on a day, in total or from one address: data subjects read and exported, accesses outside
 * office hours, refused calls, and accesses (`places`).
 */
interface PersonsDay extends Record<
  'manyRecords' | 'outsideHours' | 'exports' | 'refusals' | 'places',
  number
> {
  /** True if the row counts one address of the user; false if it counts all. */
  isPlace: boolean
  personId: string
  address: string
}

/**
 * Returns what each user did with the data of others on a day, as counts: in total, and from each address. Leaves out
 * logins.
 * @param set with the office hours; all hours of a weekend are outside
 */
async function peopleOn(
  db: Kysely<Database>,
  month: string,
  day: Day,
  set: SearchRules,
): Promise<PersonsDay[]> {
  const at = (hour: number) =>
    sql`(${day.day}::timestamp + make_interval(hours => ${hour}::int)) at time zone 'Asia/Seoul'`
  const isOutside = day.isWeekend ? sql`true` : sql`(at < ${at(set.hoursFrom)} or at >= ${at(set.hoursTo)})`
  const { rows } = await sql<PersonsDay>`
    select grouping(address) = 0 as is_place, actor_id::text as person_id, coalesce(address, '') as address,
      coalesce(sum(people) filter (where is_done), 0)::float8 as many_records,
      (count(*) filter (where is_done and people > 0 and ${isOutside}))::float8 as outside_hours,
      coalesce(sum(people) filter (where is_done and act = 'export'), 0)::float8 as exports,
      (count(*) filter (where not is_done))::float8 as refusals,
      (count(*) filter (where is_done and people > 0))::float8 as places
    from (
      select actor_id, address, act, at, result = '' as is_done,
        -- The caller did read one user's data.
        case when people > 1 and ${isInError} then 1 else people end as people
      from ${rowsOf(month, day, countOfPeople)} and l.actor_id is not null and l.act <> 'login'
    ) as done
    group by grouping sets ((actor_id), (actor_id, address))`.execute(db)
  return rows
}

/**
 * Adds the accesses of a user from an address on a day to those of earlier days of the month.
 * @param places by user and address
 */
function addPlace(places: Map<string, FoundItem>, found: FoundItem): void {
  const key = `${found.personId} ${found.address}`
  const first = places.get(key)
  if (first === undefined) places.set(key, found)
  else first.amount += found.amount
}

/** Returns the numbers of failed logins of a day as findings: for each ID that was tried, and for each address. */
async function failuresOn(db: Kysely<Database>, month: string, day: Day): Promise<FoundItem[]> {
  const { rows } = await sql<{
    isId: boolean
    personId: string | null
    loginId: string
    address: string
    amount: number
  }>`
    select grouping(actor) = 0 as is_id, max(coalesce(actor_id, subjects[1]))::text as person_id,
      coalesce(actor, '') as login_id, coalesce(address, '') as address, count(*)::float8 as amount
    from ${rowsOf(month, day)} and l.act = 'login' and l.result not in ('', 'SECOND_FACTOR_REQUIRED')
    group by grouping sets ((actor), (address))`.execute(db)
  return rows
    .filter(({ isId, loginId }) => !isId || loginId !== '')
    .map(({ isId, personId, loginId, address, amount }) =>
      isId
        ? { rule: 'failedLogins', day: day.day, personId, loginId, address: '', amount }
        : { rule: 'failedAddresses', day: day.day, personId: null, loginId: '', address, amount },
    )
}

/**
 * Returns a finding of the rule `manyReaders` for each user whose data at least `least` different other users opened on
 * a day. Its `amount` is the number of those users.
 * @param month first day of the month in which the day is, YYYY-MM-01
 */
async function findOftenRead(
  db: Kysely<Database>,
  month: string,
  day: Day,
  least: number,
): Promise<FoundItem[]> {
  const { rows } = await sql<{ personId: string; amount: number }>`
    select subject::text as person_id, count(*)::float8 as amount from (
      select distinct subject, actor_id
      from (select l.subjects, l.actor_id from ${rowsOf(month, day)} and l.act = 'read' and l.result = '' and l.actor_id is not null
          and not ${isInError})
        as opened, unnest(subjects) as subject
      where subject <> actor_id
    ) as readers
    group by subject having count(*) >= ${least}`.execute(db)
  return rows.map((row) => ({ rule: 'manyReaders', day: day.day, loginId: '', address: '', ...row }))
}

/** Returns the first days of the MONTHS_BEFORE previous months, as far as they are in the database. */
async function monthsBefore(db: Kysely<Database>, month: string): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select month::text from access_log_heads where archived_at is null and position > 0
      and month < ${month}::date and month >= ${month}::date - make_interval(months => ${sql.lit(MONTHS_BEFORE)})`.execute(
    db,
  )
  return rows.map((row) => row.month)
}

/**
 * Returns those findings whose user did not use their address in these months.
 * @param months first days
 */
async function neverBefore(
  db: Kysely<Database>,
  months: string[],
  places: readonly FoundItem[],
): Promise<FoundItem[]> {
  const { rows } = await sql<{ place: number }>`
    select place::int from unnest(${places.map(({ personId }) => personId)}::bigint[], ${places.map(({ address }) => address)}::text[])
      with ordinality as p (person, address, place)
    where not exists (select from access_log l
      where l.month = any(${months}::date[]) and l.actor_id = p.person and l.address = p.address)`.execute(db)
  return rows.flatMap(({ place }) => places[place - 1] ?? [])
}
