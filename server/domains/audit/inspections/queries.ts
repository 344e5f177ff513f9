import { type Kysely, sql, type Transaction } from 'kysely'
import type { InspectionState } from '../../../../contract/audit.ts'
import { midnight, orEmpty, timeText, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { InspectionRules, SearchRules } from './rules.ts'
import type { FoundItem, RuleResult } from './search.ts'

/**
 * Rules with which a month was searched, and the number of findings of each. Inspections of earlier versions lack the
 * fields of the practice.
 */
export interface KeptRules
  extends Omit<SearchRules, 'rules'>, Partial<Omit<InspectionRules, keyof SearchRules>> {
  rules: Omit<RuleResult, 'found'>[]
  /** Name of the privacy officer at the signature. */
  officerName?: string
}

/** Returns the first day, YYYY-MM-01, of a month in the format of the contract, YYYY-MM. */
export const firstDay = (month: string) => `${month}-01`

/** SQL condition that a month `h` is past and has rows of the access log. */
const isOver = sql<boolean>`h.month < date_trunc('month', now() at time zone 'Asia/Seoul')::date and h.position > 0`

/**
 * Returns the query for the past months `h` with rows of the access log, and the state of their inspections `i`.
 * Includes months that were moved to files, and erased ones if they have an inspection.
 */
export function pastMonths(db: Kysely<Database>) {
  return db
    .selectFrom('accessLogHeads as h')
    .leftJoin('inspections as i', 'i.month', 'h.month')
    .select([
      sql<string>`to_char(h.month, 'YYYY-MM')`.as('month'),
      sql<InspectionState>`case when i.signed_at is not null then 'SIGNED' when h.archived_at is not null then 'ARCHIVED'
        when i.month is not null then 'BEGUN' else 'DUE' end`.as('inspectionState'),
      sql<number>`h.position::float8`.as('recordCount'),
      timeText('i.signedAt').as('signedAt'),
      orEmpty('i.signerName').as('signerName'),
    ])
    .where(isOver)
    .where(sql<boolean>`(h.erased_at is null or i.month is not null)`)
}

/** SQL expression for the months between inspections, as the company set them. */
const cycle = sql`(select coalesce((inspection_rules->>'cycleMonths')::int, 1) from settings)`

/**
 * SQL expression for the time at which the inspection of a month `h` is due: the end of its cycle, counted from January
 * (rules/audit#inspection-practice).
 */
export const dueAt = midnight(
  sql`date_trunc('year', h.month::timestamp) + make_interval(months =>
    ((extract(month from h.month)::int - 1) / ${cycle} + 1) * ${cycle})`,
)

/**
 * Returns the query for the past months `h` that are in the database, due and not signed
 * (rules/audit#inspection-reminder).
 */
export const dueMonths = (db: Kysely<Database>) =>
  db
    .selectFrom('accessLogHeads as h')
    .where(isOver)
    .where(sql<boolean>`${dueAt} <= now()`)
    .where('h.archivedAt', 'is', null)
    .where(
      sql<boolean>`not exists (select from inspections i where i.month = h.month and i.signed_at is not null)`,
    )

/**
 * Returns the query for the months `h` that were moved to files without a signed inspection, which is no longer
 * possible.
 */
export const missedMonths = (db: Kysely<Database>) =>
  db
    .selectFrom('accessLogHeads as h')
    .where('h.archivedAt', 'is not', null)
    .where('h.erasedAt', 'is', null)
    .where(
      sql<boolean>`not exists (select from inspections i where i.month = h.month and i.signed_at is not null)`,
    )

/**
 * Returns a past month of the access log, with all columns of its inspection. They are empty if it was not begun.
 * @param month YYYY-MM
 * @returns undefined if the month is not past or its access log has no rows; or if the rows were erased and the month
 * has no inspection
 */
export function findMonth(db: Kysely<Database>, month: string) {
  return pastMonths(db)
    .select([
      'h.position as records',
      sql<string>`encode(coalesce(i.chain_end, h.hash), 'hex')`.as('chainEnd'),
      sql<KeptRules | null>`i.rules`.as('kept'),
      timeText('i.searchedAt').as('searchedAt'),
      orEmpty('i.searcherName').as('searcherName'),
      orEmpty('i.opinion').as('opinion'),
      orEmpty('i.signerLoginId').as('signerId'),
    ])
    .where('h.month', '=', firstDay(month))
    .executeTakeFirst()
}

/**
 * Returns the findings of a month's inspection by day, and within a day by descending amount, which the rule of the
 * finding counts. `ownRemark` is true if the user of the finding wrote the remark.
 * @param month YYYY-MM
 */
export function findFindings(db: Kysely<Database>, month: string) {
  return db
    .selectFrom('inspectionFindings as f')
    .select((eb) => [
      sql<string>`f.id::text`.as('findingId'),
      'f.rule',
      sql<string>`f.day::text`.as('foundDay'),
      'f.personId',
      'f.loginId as userId',
      'f.name',
      'f.address',
      sql<number>`f.amount::float8`.as('amount'),
      'f.verdict',
      'f.remark',
      sql<string>`coalesce(${wireTime(eb.ref('f.remarkedAt') as never)}, '')`.as('remarkedAt'),
      'f.remarkerName',
      sql<boolean>`coalesce(f.person_id = f.remarker_id, false)`.as('ownRemark'),
    ])
    .where('f.month', '=', firstDay(month))
    .orderBy('f.day')
    .orderBy('f.amount', 'desc')
    .orderBy('f.id')
    .execute()
}

/**
 * Locks an inspection until the transaction ends, and returns when it was signed.
 * @returns undefined if the inspection was not begun
 */
export function lockInspection(tx: Transaction<Database>, month: string) {
  return tx
    .selectFrom('inspections')
    .select('signedAt')
    .where('month', '=', firstDay(month))
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Creates the inspection of a month, without rules and findings, if it does not exist.
 * @param month YYYY-MM
 */
export async function beginInspection(tx: Transaction<Database>, month: string): Promise<void> {
  await sql`insert into inspections (month, records, chain_end, rules, searcher_name)
    select month, position, hash, '{}', '' from access_log_heads where month = ${firstDay(month)}::date
    on conflict do nothing`.execute(tx)
}

/**
 * Replaces the findings of a month's inspection by new ones, with the current login IDs and names of the users. Stores
 * the rules, the time and the user of the search. A finding that is found again unchanged keeps its verdict and remark.
 * @param month YYYY-MM
 * @param kept the rules, and the number of findings of each
 */
export async function saveFindings(
  tx: Transaction<Database>,
  month: string,
  kept: KeptRules,
  found: readonly FoundItem[],
  searcherName: string,
): Promise<void> {
  const now = sql`(
    select f.rule, f.day, f."personId" as person_id, coalesce(u.login_id, f."loginId") as login_id, coalesce(u.name, '') as name,
      f.address, f.amount
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      as f (rule text, day date, "personId" bigint, "loginId" text, address text, amount bigint)
    left join users u on u.id = f."personId")`
  await sql`delete from inspection_findings f where month = ${firstDay(month)}::date and not exists (select from ${now} as n
    where (n.rule, n.day, n.login_id, n.address, n.amount) = (f.rule, f.day, f.login_id, f.address, f.amount)
      and n.person_id is not distinct from f.person_id)`.execute(tx)
  await sql`insert into inspection_findings (month, rule, day, person_id, login_id, name, address, amount)
    select ${firstDay(month)}::date, n.* from ${now} as n on conflict do nothing`.execute(tx)
  await sql`update inspections i set rules = ${JSON.stringify(kept)}::jsonb, searched_at = now(), searcher_name = ${searcherName},
    records = h.position, chain_end = h.hash
    from access_log_heads h where h.month = i.month and i.month = ${firstDay(month)}::date`.execute(tx)
}
