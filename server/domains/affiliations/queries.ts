import { type Kysely, sql, type Transaction } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { orEmpty, PROGRAM } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import { nameKey } from '../imports/index.ts'

/** Fields of an affiliation that its version covers, because forms edit them. */
interface Edited {
  name: string
  nameEn: string
  closed: boolean
  parentCode: string
  external: boolean
  partnerCode: string
}

/**
 * Returns the version of an affiliation: a digest of the fields that forms edit. It excludes the counts and the
 * position.
 */
const versionOf = ({ name, nameEn, closed, parentCode, external, partnerCode }: Edited) =>
  digestOf([name, nameEn, String(closed), parentCode, String(external), partnerCode])

/**
 * Returns the query of all affiliations, also closed ones, as `c`, with their default partner as `p`. Without an order.
 */
export const allAffiliations = (db: Kysely<Database>) =>
  db
    .selectFrom('codes as c')
    .leftJoin('partners as p', 'p.id', 'c.defaultPartnerId')
    .where('c.groupCode', '=', CODE_GROUP.affiliation)
    .select([
      'c.code as affiliationCode',
      'c.nameKo as name',
      'c.nameEn',
      sql<boolean>`c.closed_at is not null`.as('closed'),
      orEmpty('c.parentCode').as('parentCode'),
      'c.isExternal as external',
      orEmpty('p.code').as('partnerCode'),
    ])

/**
 * Returns every affiliation, also closed ones, in the order of the selects, and the version of this order. Each has the
 * number of its users (without program accounts) and keys, from the stored counts
 * (design/lists-and-counts#stored-counts), and of its partner codes, from their index.
 */
export async function findAffiliations(db: Kysely<Database>) {
  const counted = await allAffiliations(db)
    .orderBy('c.sortOrder')
    .orderBy('c.code')
    .leftJoin(
      sql<{
        code: string
        n: number
      }>`(select affiliation_code as code, sum(n)::int as n from user_counts where approval_code <> ${PROGRAM} group by 1)`.as(
        'u',
      ),
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
      sql<{
        code: string
        n: number
      }>`(select affiliation_code as code, sum(n)::int as n from key_totals group by 1)`.as('k'),
      'k.code',
      'c.code',
    )
    .select([
      sql<number>`coalesce(u.n, 0)`.as('userCount'),
      sql<number>`coalesce(q.n, 0)`.as('partnerCount'),
      sql<number>`coalesce(k.n, 0)`.as('keyCount'),
      orEmpty('p.provinceName').as('provinceName'),
      orEmpty('p.districtName').as('districtName'),
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

/**
 * Locks every affiliation until the transaction ends and returns them in the order of the selects. They are few and
 * rarely change.
 */
export function lockAffiliations(tx: Transaction<Database>) {
  return allAffiliations(tx).orderBy('c.sortOrder').orderBy('c.code').forNoKeyUpdate('c').execute()
}

/** Affiliation of a call, and the version that the caller read. */
export interface ChosenAffiliation {
  affiliationCode: string
  version: string
}

/**
 * Returns the chosen affiliations, in the order of `rows`, each once.
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED if one changed since the caller read it
 */
export function chosenFrom<Row extends Edited & { affiliationCode: string }>(
  rows: readonly Row[],
  chosen: readonly ChosenAffiliation[],
): Row[] {
  const versions = new Map(chosen.map(({ affiliationCode, version }) => [affiliationCode, version]))
  const found = rows.filter(({ affiliationCode }) => versions.has(affiliationCode))
  if (found.length < versions.size) refuse('AFFILIATION_NOT_FOUND')
  if (found.some((row) => versionOf(row) !== versions.get(row.affiliationCode))) refuse('RECORD_CHANGED')
  return found
}

/**
 * Returns the affiliation of an edit, also a closed one, and locks it until the transaction ends.
 * @param version the version that the caller read; without it, a change since then is not refused
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED if it changed since then
 */
export async function lockAffiliation(tx: Transaction<Database>, code: string, version?: string) {
  const row = await allAffiliations(tx).where('c.code', '=', code).forNoKeyUpdate('c').executeTakeFirst()
  if (row === undefined) return refuse('AFFILIATION_NOT_FOUND')
  if (version !== undefined && version !== versionOf(row)) refuse('RECORD_CHANGED')
  return row
}

/** Names and partner codes that are in use, and new affiliation codes. */
export interface NamesInUse {
  /** Both names of all affiliations except the one of `except`, as `nameKey` returns them. */
  names: ReadonlySet<string>
  /** Codes in use among the requested ones and among those that look like an affiliation's code. */
  partnerCodes: ReadonlySet<string>
  /** New affiliation codes, as many as `draw`. A code that is drawn and not used is lost. */
  drawn: string[]
}

/**
 * Finds the names and partner codes in use, and takes new affiliation codes from a sequence. Uses one query, so that a
 * save has few round trips.
 * @param asked.except code of the affiliation that is edited, whose names do not count
 * @param asked.partnerCodes partner codes to look up
 * @param asked.draw number of new affiliation codes to take; 0 by default
 */
export async function findTaken(
  db: Kysely<Database>,
  asked: { except?: string; partnerCodes?: readonly string[]; draw?: number },
): Promise<NamesInUse> {
  const { except = '', partnerCodes = [], draw = 0 } = asked
  const { rows } = await sql<{ names: string[]; partnerCodes: string[]; drawn: string[] }>`
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
    partnerCodes: new Set(found?.partnerCodes),
    drawn: found?.drawn ?? [],
  }
}
