import { sql } from 'kysely'
import { affiliationsOf, inAffiliations } from '../roles/index.ts'
import type { Actor } from '../../../contract/permissions.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import type { Language } from '../../../contract/messages/language.ts'
import {
  type listPartners as endpoint,
  type exportPartners as exportEndpoint,
  PARTNER_EXPORT_COLUMNS,
} from '../../../contract/partners.ts'
import { byText, contains, countOf, inOrder, pageOfRows, rowsByIds, everyRowOf } from '../../db/list.ts'
import type { Db } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { affiliationName } from '../common/index.ts'
import { nearLimit, partnerColumns } from './queries.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { exportList } from '../exports/index.ts'

/** Filters, page and sort order of the partner search. */
type Input = ParsedInputOf<typeof endpoint>
/** Filters of the partner search. */
type PartnerFilter = Omit<Input, 'page' | 'perPage' | 'sort' | 'order'>

/**
 * Returns a page of the partners within the caller's branch that a search finds, newest first by default, and their
 * total number (rules/partners#partner-search).
 */
export const listPartners: Handler<typeof endpoint> = async ({ db, actor, language, now }, input) => {
  const matching = await matchingPartners(db, actor, input, now())
  const ids = inAskedOrder(matching, input, language).select('p.id')
  const { totalCount, rows } = await pageOfRows(db, countOf(matching), ids, input, partnersByIds(language))
  return { totalCount, partners: rows }
}

/** Returns the query for the partners that a search finds, in the requested order, with `partnerColumns` and without paging. */
async function partnerRows(
  db: Db,
  actor: Actor,
  input: Omit<Input, 'page' | 'perPage'>,
  language: Language,
  now: Date,
) {
  return inAskedOrder(await matchingPartners(db, actor, input, now), input, language).select(
    partnerColumns(language),
  )
}

/** Returns the partners with these IDs as the list shows them, in their order. */
const partnersByIds = rowsByIds(
  (db, language) => allPartners(db).select(partnerColumns(language)),
  sql<string>`p.id`,
)

/** Returns the query for all partners `p`, without columns, conditions and order. */
const allPartners = (db: Db) => db.selectFrom('partners as p')

/**
 * Returns the query for the partners `p` within the actor's branch that a search finds, without columns and order.
 * @param now the time for the filter of partners near a limit
 */
export async function matchingPartners(db: Db, actor: Actor, input: PartnerFilter, now: Date) {
  let query = allPartners(db)
  const affiliations = await affiliationsOf(db, actor, input.affiliationCode)
  if (affiliations !== null) query = query.where(inAffiliations(sql.ref('p.affiliationCode'), affiliations))
  if (input.partnerCode !== '') query = query.where((eb) => contains(eb.ref('p.code'), input.partnerCode))
  const { validFrom: from, validTo: to } = input
  if (from !== '') {
    query = query.where((eb) => eb.or([eb('p.validTo', 'is', null), eb('p.validTo', '>=', from)]))
  }
  if (to !== '') {
    query = query.where((eb) => eb.or([eb('p.validFrom', 'is', null), eb('p.validFrom', '<=', to)]))
  }
  if (input.nearLimit) query = query.where(nearLimit(now))
  return query
}

/** Returns the query in the requested order; the newest partners first by default. */
function inAskedOrder(
  partners: ReturnType<typeof allPartners>,
  sort: Pick<Input, 'sort' | 'order'>,
  language: Language,
) {
  const columns = {
    partnerCode: sql.ref('p.code'),
    affiliationName: byText(affiliationName('p.affiliationCode', language)),
    maxKeysPerDay: sql.ref('p.limitDay'),
    maxKeysPerWeek: sql.ref('p.limitWeek'),
    maxKeysPerMonth: sql.ref('p.limitMonth'),
    maxKeysTotal: sql.ref('p.limitTotal'),
    validFrom: sql.ref('p.validFrom'),
    validTo: sql.ref('p.validTo'),
    partnerType: sql.ref('p.type'),
    provinceName: byText(sql.ref('p.provinceName')),
    districtName: byText(sql.ref('p.districtName')),
    partnerName: byText(sql.ref('p.name')),
  }
  return inOrder(partners, sort, columns, { at: sql.ref('p.createdAt'), id: sql.ref('p.id') })
}

/**
 * Exports the partners that a search finds as a file, with the texts of the list (rules/partners#partner-export).
 * @throws {Refusal} as `exportList`
 */
export const exportPartners: Handler<typeof exportEndpoint> = (call, input) => {
  const words = catalogues[call.language].partners
  const limit = (most: number | null) => (most === null ? words.noLimit : String(most))
  return exportList(call, input, {
    list: 'partners',
    columns: PARTNER_EXPORT_COLUMNS,
    headers: words.search.columns,
    kinds: {
      maxKeysPerDay: 'number',
      maxKeysPerWeek: 'number',
      maxKeysPerMonth: 'number',
      maxKeysTotal: 'number',
      validFrom: 'date',
      validTo: 'date',
    },
    read: async (tx) => everyRowOf(await partnerRows(tx, call.actor, input, call.language, call.now())),
    cells: (row) => ({
      ...row,
      partnerType: words.type[row.partnerType],
      maxKeysPerDay: limit(row.maxKeysPerDay),
      maxKeysPerWeek: limit(row.maxKeysPerWeek),
      maxKeysPerMonth: limit(row.maxKeysPerMonth),
      maxKeysTotal: limit(row.maxKeysTotal),
      validTo: row.validTo.slice(0, 10),
    }),
  })
}
