import { type Kysely, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { type exportKeys as endpoint, ISSUED_KEY_MASK, KEY_EXPORT_COLUMNS } from '../../../contract/keys.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { exportList, ROWS_AT_ONCE } from '../exports/index.ts'
import { directionOf, keyRows } from './history.ts'
import { countMonths } from './position.ts'
import { type Slice, sliceOf, within } from './slice.ts'
import { addDays } from './spans.ts'

/**
 * Exports the history that a search finds (rules/keys#key-export). An issued key is in none: there is none to be had
 * (ADR 023).
 */
export const exportKeys: Handler<typeof endpoint> = (call, input) =>
  exportList(call, input, {
    list: 'keys',
    columns: KEY_EXPORT_COLUMNS,
    headers: catalogues[call.language].keys.columns,
    async read(tx) {
      const slice = await sliceOf(tx, input)
      const months = await countMonths(tx, slice, 'desc')
      return {
        total: months.reduce((sum, { n }) => sum + n, 0),
        rows: rowsOf(tx, slice, input, call.language).stream(ROWS_AT_ONCE),
      }
    },
    cells: (row) => ({ ...row, issuedKey: ISSUED_KEY_MASK }),
  })

/** All that a search finds, as `listKeys` orders it. */
function rowsOf(
  db: Kysely<Database>,
  slice: Slice,
  sort: Pick<ParsedInputOf<typeof endpoint>, 'sort' | 'order'>,
  language: Language,
) {
  const direction = directionOf(sort)
  let query = keyRows(db, language).where(within(slice))
  if (slice.from !== '') query = query.where('k.issued_at', '>=', midnight(slice.from))
  if (slice.to !== '') query = query.where('k.issued_at', '<', midnight(addDays(slice.to, 1)))
  return query.orderBy('k.issued_at', direction).orderBy('k.id', direction)
}

/** A day as its first moment: what the index has. */
const midnight = (day: string) => sql<Date>`${day}::date::timestamp at time zone 'Asia/Seoul'`
