import { type Kysely, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { type exportKeys as endpoint, ISSUED_KEY_MASK, KEY_EXPORT_COLUMNS } from '../../../contract/keys.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { ROWS_AT_ONCE } from '../../db/list.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { exportList } from '../exports/index.ts'
import { directionOf, keyRows } from './history.ts'
import { toKeyViewer, maskRow } from './viewer.ts'
import { issuedWithin, toKeySelection } from './key-selection.ts'
import { monthRows } from './key-counts.ts'

/**
 * Exports the history that a search finds (rules/keys#key-export). The file contains no issued key, because keys are not stored
 * (design/keys#derived-keys).
 */
export const exportKeys: Handler<typeof endpoint> = (call, input) => {
  const viewer = toKeyViewer(call.actor)
  return exportList(call, input, {
    list: 'keys',
    columns: KEY_EXPORT_COLUMNS,
    headers: catalogues[call.language].keys.columns,
    kinds: { issuedAt: 'moment', revokedAt: 'moment' },
    read: (tx) => readKeys(tx, call, input),
    cells: (row) => ({ ...maskRow(viewer, row), issuedKey: ISSUED_KEY_MASK }),
    peopleIn: ({ personId }) => [personId],
  })
}

/**
 * Reads all keys that a search finds, in the order of `listKeys`. Their number comes from the stored counts, not from a scan of the keys.
 */
async function readKeys(
  tx: Kysely<Database>,
  { actor, language }: Pick<Call<typeof endpoint>, 'actor' | 'language'>,
  input: ParsedInputOf<typeof endpoint>,
) {
  const selection = toKeySelection(input, toKeyViewer(actor))
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(n), 0)::float8 as total from ${monthRows(selection)}`.execute(tx)
  const direction = directionOf(input)
  const keys = keyRows(tx, language)
    .where(issuedWithin(selection))
    .orderBy('k.issued_at', direction)
    .orderBy('k.id', direction)
  return { total: rows[0]?.total ?? 0, rows: keys.stream(ROWS_AT_ONCE) }
}
