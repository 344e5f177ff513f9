import { type Kysely, sql, type Transaction } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { orEmpty } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import { nameKey } from '../../services/import-rows.ts'

/** The fields of an affiliation that its form edits. */
interface Edited {
  name: string
  nameEn: string
  closed: boolean
  partnerCode: string
}

/** Returns the version of an affiliation. It excludes the counts and the position, which the form does not edit. */
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
 * Returns every affiliation with the number of its users and keys, from the stored counts (design/lists-and-counts#stored-counts), and of
 * its partner codes, from their index.
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
      // Summed per place first: a place has as many rows as it has months.
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

/** Returns the version of the order: a digest of the affiliations in their order. */
export const versionOfOrder = (rows: readonly { affiliationCode: string }[]) =>
  digestOf(rows.map(({ affiliationCode }) => affiliationCode))

/** Locks every affiliation until the transaction ends and returns them in order. They are few and rarely change. */
export function lockAffiliations(tx: Transaction<Database>) {
  return allAffiliations(tx).orderBy('c.sort_order').orderBy('c.code').forNoKeyUpdate('c').execute()
}

/** An affiliation of a call, and the version that the caller read. */
export interface Chosen {
  affiliationCode: string
  version: string
}

/**
 * Returns the affiliations of a call.
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED if one changed since the caller read it
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
 * Locks the affiliation of an edit until the transaction ends.
 * @param version the version that the caller read, if it read one
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED if it changed since then
 */
export async function lockAffiliation(tx: Transaction<Database>, code: string, version?: string) {
  const row = await allAffiliations(tx).where('c.code', '=', code).forNoKeyUpdate('c').executeTakeFirst()
  if (row === undefined) return refuse('AFFILIATION_NOT_FOUND')
  if (version !== undefined && version !== versionOf(row)) refuse('RECORD_CHANGED')
  return row
}

/** Names and partner codes that are in use, and the codes for new affiliations. */
export interface Taken {
  /** Both names of all affiliations but one, as `nameKey` returns them. */
  names: ReadonlySet<string>
  /** Codes in use among the requested ones and among those that look like an affiliation's code. */
  partnerCodes: ReadonlySet<string>
  /** The next codes. A code is never used twice. */
  drawn: string[]
}

/** Reads all of these with one query, so that a save has few round trips. */
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
