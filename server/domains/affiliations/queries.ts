import { type Kysely, sql, type Transaction } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { orEmpty } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import { nameKey } from '../../services/import-rows.ts'

/** An affiliation as its form edits it. */
interface Edited {
  name: string
  nameEn: string
  closed: boolean
  partnerCode: string
}

/** The version of an affiliation: neither counts nor its place in the order, which is nobody's form. */
const versionOf = ({ name, nameEn, closed, partnerCode }: Edited) =>
  digestOf([name, nameEn, String(closed), partnerCode])

const allAffiliations = (db: Kysely<Database>) =>
  db
    .selectFrom('codes as c')
    .leftJoin('partners as p', 'p.id', 'c.default_partner_id')
    .where('c.group_code', '=', CODE_GROUP.affiliation)
    .select([
      'c.code as affiliationCode',
      'c.name_ko as name',
      'c.name_en as nameEn',
      sql<boolean>`c.closed_at is not null`.as('closed'),
      orEmpty('p.code').as('partnerCode'),
    ])

/**
 * Every affiliation with what belongs to it: people and keys from the counts that are kept (design/lists-and-counts#stored-counts), partner codes from
 * their index.
 */
export async function findAffiliations(db: Kysely<Database>) {
  const counted = await allAffiliations(db)
    .orderBy('c.sort_order')
    .orderBy('c.code')
    .leftJoin(
      sql<{
        code: string
        n: number
      }>`(select affiliation_code as code, sum(n)::int as n from user_counts group by 1)`.as('u'),
      'u.code',
      'c.code',
    )
    .leftJoin(
      sql<{
        code: string
        n: number
      }>`(select affiliation_code as code, count(*)::int as n from partners group by 1)`.as('q'),
      'q.code',
      'c.code',
    )
    .leftJoin(
      // By place first: there are as many months of a place as there are rows.
      sql<{ code: string; n: number }>`(select k.affiliation_code as code, sum(m.n)::int as n
        from (select cell_id, sum(n) as n from key_months group by 1) as m
        join key_cells as k on k.id = m.cell_id group by 1)`.as('k'),
      'k.code',
      'c.code',
    )
    .select([
      sql<number>`coalesce(u.n, 0)`.as('userCount'),
      sql<number>`coalesce(q.n, 0)`.as('partnerCount'),
      sql<number>`coalesce(k.n, 0)`.as('keyCount'),
      orEmpty('p.province_name').as('provinceName'),
      orEmpty('p.district_name').as('districtName'),
    ])
    .execute()
  return {
    affiliations: counted.map((row) => ({ ...row, version: versionOf(row) })),
    version: versionOfOrder(counted),
  }
}

/** The version of the order: which affiliations there are, and where. */
export const versionOfOrder = (rows: readonly { affiliationCode: string }[]) =>
  digestOf(rows.map(({ affiliationCode }) => affiliationCode))

/** Every affiliation in its order, locked until the transaction ends: they are few and hardly ever changed. */
export function lockAffiliations(tx: Transaction<Database>) {
  return allAffiliations(tx).orderBy('c.sort_order').orderBy('c.code').forNoKeyUpdate('c').execute()
}

/** An affiliation that a call is about, and the version that was read. */
export interface Chosen {
  affiliationCode: string
  version: string
}

/**
 * Those of the affiliations that a call is about.
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED when one is another by now
 */
export function chosenFrom<Row extends Edited & { affiliationCode: string }>(
  rows: readonly Row[],
  chosen: readonly Chosen[],
): Row[] {
  const versions = new Map(chosen.map(({ affiliationCode, version }) => [affiliationCode, version]))
  const found = rows.filter(({ affiliationCode }) => versions.has(affiliationCode))
  if (found.length < versions.size) refuse('AFFILIATION_NOT_FOUND')
  if (found.some((row) => versionOf(row) !== versions.get(row.affiliationCode))) refuse('RECORD_CHANGED')
  return found
}

/**
 * The affiliation that an edit is about, locked until the transaction ends.
 * @param version the one that was read, where the caller read one
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED when it is another one by now
 */
export async function lockAffiliation(tx: Transaction<Database>, code: string, version?: string) {
  const row = await allAffiliations(tx).where('c.code', '=', code).forNoKeyUpdate('c').executeTakeFirst()
  if (row === undefined) return refuse('AFFILIATION_NOT_FOUND')
  if (version !== undefined && version !== versionOf(row)) refuse('RECORD_CHANGED')
  return row
}

/** What an affiliation may not be called or given any more, and the codes that new ones get. */
export interface Taken {
  /** Of all affiliations but one: both names, as `nameKey` writes them. */
  names: ReadonlySet<string>
  /** Of those asked for, and of those like the code of an affiliation. */
  partnerCodes: ReadonlySet<string>
  /** The next codes, none of which is ever given again. */
  drawn: string[]
}

/** Asked at once, because a save has few round trips. */
export async function findTaken(
  db: Kysely<Database>,
  asked: { except?: string; partnerCodes?: readonly string[]; draw?: number },
): Promise<Taken> {
  const { except = '', partnerCodes = [], draw = 0 } = asked
  const { rows } = await sql<{ names: string[]; partner_codes: string[]; drawn: string[] }>`
    select array(
      select unnest(array[name_ko, name_en]) from codes
      where group_code = ${CODE_GROUP.affiliation} and code <> ${except}
    ) as names, array(
      select code from partners where code = any(${partnerCodes}::text[]) or code like 'BEL%'
    ) as partner_codes, array(
      select 'BEL' || lpad(n::text, greatest(3, length(n::text)), '0')
      from (select nextval('affiliation_number') as n from generate_series(1, ${draw}::int)) as numbers
    ) as drawn`.execute(db)
  const [found] = rows
  return {
    names: new Set(found?.names.map(nameKey)),
    partnerCodes: new Set(found?.partner_codes),
    drawn: found?.drawn ?? [],
  }
}
