import { type Kysely, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type listPartners as endpoint } from '../../../contract/partners.ts'
import { byText, contains, countOf, inOrder, pageOfRows, rowsByIds } from '../../db/list.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { affiliationName } from '../common/index.ts'
import { nearLimit } from './near-limit.ts'
import { partnerColumns } from './queries.ts'

type Input = ParsedInputOf<typeof endpoint>

/** Returns a page of the partner list, newest first by default, and the total number of partners found (rules/partners#partner-search). */
export const listPartners: Handler<typeof endpoint> = async ({ db, language, now }, input) => {
  const matching = matchingPartners(db, input, now())
  const ids = inAskedOrder(matching, input, language).select('p.id')
  const { totalCount, rows } = await pageOfRows(db, countOf(matching), ids, input, partnersByIds(language))
  return { totalCount, partners: rows }
}

/** Returns the query for the partners that a search finds in the requested order, without paging. */
export function partnerRows(
  db: Kysely<Database>,
  input: Omit<Input, 'page' | 'perPage'>,
  language: Language,
  now: Date,
) {
  return inAskedOrder(matchingPartners(db, input, now), input, language).select(partnerColumns(language))
}

const partnersByIds = rowsByIds(
  (db, language) => allPartners(db).select(partnerColumns(language)),
  sql<string>`p.id`,
)

const allPartners = (db: Kysely<Database>) => db.selectFrom('partners as p')

function matchingPartners(db: Kysely<Database>, input: Omit<Input, 'page' | 'perPage'>, now: Date) {
  let query = allPartners(db)
  if (input.affiliationCode !== '') query = query.where('p.affiliation_code', '=', input.affiliationCode)
  if (input.partnerCode !== '') query = query.where((eb) => contains(eb.ref('p.code'), input.partnerCode))
  const { validFrom: from, validTo: to } = input
  if (from !== '') {
    query = query.where((eb) => eb.or([eb('p.valid_to', 'is', null), eb('p.valid_to', '>=', from)]))
  }
  if (to !== '') {
    query = query.where((eb) => eb.or([eb('p.valid_from', 'is', null), eb('p.valid_from', '<=', to)]))
  }
  if (input.nearLimit) query = query.where(nearLimit(now))
  return query
}

function inAskedOrder(
  partners: ReturnType<typeof allPartners>,
  sort: Pick<Input, 'sort' | 'order'>,
  language: Language,
) {
  const columns = {
    partnerCode: sql.ref('p.code'),
    affiliationName: byText(affiliationName('p.affiliation_code', language)),
    maxKeysPerDay: sql.ref('p.limit_day'),
    maxKeysPerWeek: sql.ref('p.limit_week'),
    maxKeysPerMonth: sql.ref('p.limit_month'),
    maxKeysTotal: sql.ref('p.limit_total'),
    validFrom: sql.ref('p.valid_from'),
    validTo: sql.ref('p.valid_to'),
    partnerType: sql.ref('p.type'),
    provinceName: byText(sql.ref('p.province_name')),
    districtName: byText(sql.ref('p.district_name')),
    partnerName: byText(sql.ref('p.name')),
  }
  return inOrder(partners, sort, columns, { at: sql.ref('p.created_at'), id: sql.ref('p.id') })
}
