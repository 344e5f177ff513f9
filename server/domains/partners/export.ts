import { type Kysely, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type exportPartners as endpoint, PARTNER_EXPORT_COLUMNS } from '../../../contract/partners.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { exportList, ROWS_AT_ONCE } from '../../services/list-export.ts'
import { partnerIds } from './list.ts'
import { partnerColumns, partnersWithNames } from './queries.ts'

/** Exports the partners that a search finds (rules/partners#partner-export), with the words that the list shows. */
export const exportPartners: Handler<typeof endpoint> = (call, input) => {
  const words = catalogues[call.language].partners
  const limit = (most: number | null) => (most === null ? words.noLimit : String(most))
  return exportList(call, input, {
    list: 'partners',
    columns: PARTNER_EXPORT_COLUMNS,
    headers: words.search.columns,
    async read(tx) {
      const { rows } = await sql<{ total: number }>`
        select count(*)::int as total from (${partnerIds(tx, input, call.language)}) as found`.execute(tx)
      return { total: rows[0]?.total ?? 0, rows: partnerRows(tx, input, call.language).stream(ROWS_AT_ONCE) }
    },
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

/** All that a search finds, in its order: the database keeps the IDs, and a cursor brings the rows. */
function partnerRows(db: Kysely<Database>, input: ParsedInputOf<typeof endpoint>, language: Language) {
  const found = sql<{
    id: string
    at: number
  }>`unnest(array(${partnerIds(db, input, language)})) with ordinality`
  return partnersWithNames(db)
    .select(partnerColumns(language))
    .innerJoin(found.as<'found'>(sql`found(id, at)`), (join) => join.onRef('found.id', '=', 'p.id'))
    .orderBy('found.at')
}
