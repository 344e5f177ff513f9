import { type Kysely, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type listPartners as endpoint } from '../../../contract/partners.ts'
import { byText, inOrder, numbered } from '../../db/page.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { searchDirectory } from './directory.ts'
import { partnerColumns, partnersWithNames } from './queries.ts'

type Input = ParsedInputOf<typeof endpoint>

/** What a partner list is narrowed by; empty = no filter. */
export type PartnerFilter = Omit<Input, 'page' | 'perPage' | 'sort' | 'order'>

/** What a partner list is sorted by. */
export type PartnerSort = Pick<Input, 'sort' | 'order'>

/**
 * A page of the partner list, newest first unless told, and how many there are in all (rules/partners#partner-search).
 */
export const listPartners: Handler<typeof endpoint> = async ({ db, language }, input) => {
  const { total, ids } =
    input.sort === '' ? await findNewest(db, input) : await findSorted(db, input, language)
  const rows = await partnersWithNames(db)
    .select(partnerColumns(language))
    .where('p.id', 'in', ids.length === 0 ? ['0'] : ids)
    .orderBy(sql`array_position(${ids}::bigint[], p.id)`)
    .execute()
  return { totalCount: total, partners: numbered(rows, total, input) }
}

const firstOf = ({ page, perPage }: Input) => (page - 1) * perPage

/** In memory: the database would walk all partners for the count, however few are shown (ADR 021). */
function findNewest(db: Kysely<Database>, input: Input) {
  return searchDirectory(
    db,
    {
      affiliation: input.affiliationCode,
      codePart: inCapitals(input.partnerCode),
      from: input.validFrom,
      to: input.validTo,
    },
    { offset: firstOf(input), limit: input.perPage },
  )
}

/** In any other order: count and page come of one walk, and no row is read that is not shown. */
async function findSorted(db: Kysely<Database>, input: Input, language: Language) {
  const first = firstOf(input) + 1
  const { rows } = await sql<{ total: number; ids: string[] }>`
    select coalesce(cardinality(ids), 0) as total,
      coalesce(ids[least(${first}::bigint, 2000000000)::int : least(${first + input.perPage - 1}::bigint, 2000000000)::int], '{}')::text[] as ids
    from (select array_agg(id) as ids from (${partnerIds(db, input, language)}) found) list
  `.execute(db)
  return rows[0] ?? { total: 0, ids: [] }
}

/** Codes are upper case: this finds any part of one without regard to capitals (rules/lists#filters). */
const inCapitals = (text: string) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())

/** The partners that a search finds in the order that is asked for, not yet cut into pages. */
export function partnerIds(db: Kysely<Database>, input: PartnerFilter & PartnerSort, language: Language) {
  let query = db.selectFrom('partners as p').select('p.id')
  if (input.affiliationCode !== '') query = query.where('p.affiliation_code', '=', input.affiliationCode)
  if (input.partnerCode !== '') {
    query = query.where(sql<boolean>`strpos(p.code, ${inCapitals(input.partnerCode)}) > 0`)
  }
  const { validFrom: from, validTo: to } = input
  if (from !== '') {
    query = query.where((eb) => eb.or([eb('p.valid_to', 'is', null), eb('p.valid_to', '>=', from)]))
  }
  if (to !== '') {
    query = query.where((eb) => eb.or([eb('p.valid_from', 'is', null), eb('p.valid_from', '<=', to)]))
  }
  const affiliation = sql<string>`(select c.${sql.ref(`name_${language}`)} from codes c
    where c.group_code = ${CODE_GROUP.affiliation} and c.code = p.affiliation_code)`
  const columns = {
    partnerCode: sql.ref('p.code'),
    affiliationName: byText(affiliation),
    maxKeysPerDay: sql.ref('p.limit_day'),
    maxKeysPerWeek: sql.ref('p.limit_week'),
    maxKeysPerMonth: sql.ref('p.limit_month'),
    maxKeysTotal: sql.ref('p.limit_total'),
    validFrom: sql.ref('p.valid_from'),
    validTo: sql.ref('p.valid_to'),
    partnerType: sql.ref('p.type'),
    provinceName: byText(sql.ref('p.province_name')),
    districtName: byText(sql.ref('p.district_name')),
  }
  return inOrder(query, input, columns, { at: sql.ref('p.created_at'), id: sql.ref('p.id') })
}
