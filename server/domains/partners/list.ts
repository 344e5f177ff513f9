import { type Kysely, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type listPartners as endpoint, NO_LIMIT } from '../../../contract/partners.ts'
import { byText, inOrder, numbered, onPage } from '../../db/page.ts'
import { contains } from '../../db/search.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { partnerColumns, partnersWithNames } from './queries.ts'

type Input = ParsedInputOf<typeof endpoint>

/** What a partner list is narrowed by; empty = no filter. */
export type PartnerFilter = Omit<Input, 'PAGE' | 'PER_PAGE' | 'SORT' | 'ORDER'>

/** What a partner list is sorted by. */
export type PartnerSort = Pick<Input, 'SORT' | 'ORDER'>

/** A page of the partner list, newest first unless told, and how many there are in all (spec §2). */
export const listPartners: Handler<typeof endpoint> = async ({ db, language }, input) => {
  const [{ total }, rows] = await Promise.all([
    matching(db, input)
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow(),
    partnerRows(db, input, language)
      .$call((query) => onPage(query, input))
      .execute(),
  ])
  return { TOTAL_COUNT: total, PARTNER_LIST: numbered(rows, total, input) }
}

function matching(db: Kysely<Database>, filter: PartnerFilter) {
  let query = partnersWithNames(db)
  if (filter.BELONGTO_CODE !== '') query = query.where('p.affiliation_code', '=', filter.BELONGTO_CODE)
  if (filter.PARTNER_CODE !== '') {
    query = query.where((eb) => contains(eb.ref('p.code'), filter.PARTNER_CODE))
  }
  const { EXPIRY_DATETIME_START: from, EXPIRY_DATETIME_END: to } = filter
  if (from !== '') {
    query = query.where((eb) => eb.or([eb('p.valid_to', 'is', null), eb('p.valid_to', '>=', from)]))
  }
  if (to !== '') {
    query = query.where((eb) => eb.or([eb('p.valid_from', 'is', null), eb('p.valid_from', '<=', to)]))
  }
  return query
}

/** The rows of a partner list in the order that is asked for, not yet cut into pages. */
export function partnerRows(db: Kysely<Database>, input: PartnerFilter & PartnerSort, language: Language) {
  const rows = matching(db, input).select(partnerColumns(language))
  const columns = {
    PARTNER_CODE: sql.ref('p.code'),
    BELONGTO_CODE_NAME: byText(sql.ref(`b.name_${language}`)),
    MAX_KEY_NUM_DAY: limit('p.limit_day'),
    MAX_KEY_NUM_WEEK: limit('p.limit_week'),
    MAX_KEY_NUM_MONTH: limit('p.limit_month'),
    TOTAL_KEY_NUM: limit('p.limit_total'),
    EXPIRY_DATETIME_START: sql.ref('p.valid_from'),
    EXPIRY_DATETIME_END: sql.ref('p.valid_to'),
    PARTNER_TYPE: sql.ref('p.type'),
    SIDO_NAME: byText(sql.ref('p.province_name')),
    SIGUNGU_NAME: byText(sql.ref('p.district_name')),
  }
  return inOrder(rows, input, columns, { at: sql.ref('p.created_at'), id: sql.ref('p.id') })
}

/** A limit to sort by: none is no number, and comes last in either direction. */
const limit = (column: string) => sql`nullif(${sql.ref(column)}, ${sql.lit(NO_LIMIT)})`
