import { type Transaction, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { EXPORT_COLUMNS, type exportUsers as endpoint } from '../../../contract/users.ts'
import type { Snapshot } from '../../db/long-reads.ts'
import { today } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Call, FileAnswer, Handler } from '../../http/handler.ts'
import { MAX_XLSX_ROWS, TABLE_TYPES, tableFile } from '../../services/table-file.ts'
import { matchingUsers, userRows } from './list.ts'
import { proveManager } from './manager.ts'

type Input = ParsedInputOf<typeof endpoint>
type Row = Awaited<ReturnType<ReturnType<typeof userRows>['executeTakeFirstOrThrow']>>

/** Rows that are fetched at once. */
const ROWS_AT_ONCE = 250

/**
 * Exports what a search finds (issue 4). It is on record before the first byte leaves: who exported, why, what was
 * filtered, how many rows, and whether they were unmasked. Count and rows are of one moment.
 */
export const exportUsers: Handler<typeof endpoint> = async (call, input) => {
  const isUnmasked = input.PASSWORD !== ''
  if (isUnmasked) await proveManager(call, input.PASSWORD)
  const snapshot = await call.longReads.begin()
  try {
    return await exportFrom(snapshot, call, input, isUnmasked)
  } catch (error) {
    await snapshot.end()
    throw error
  }
}

async function exportFrom(
  { tx, end }: Snapshot,
  call: Call<typeof endpoint>,
  input: Input,
  isUnmasked: boolean,
): Promise<FileAnswer> {
  const { PASSWORD: _, FORMAT, REASON, ...filters } = input
  const { total, day } = await matchingUsers(tx, call.actor, input)
    .select([sql<number>`count(*)::int`.as('total'), sql<string>`${today}::text`.as('day')])
    .executeTakeFirstOrThrow()
  if (FORMAT === 'xlsx' && total > MAX_XLSX_ROWS) refuse('EXPORT_TOO_LARGE')
  await call.db.transaction().execute((record) =>
    call.audit(record, {
      target: 'users',
      detail: { REASON, FORMAT, rows: total, unmasked: isUnmasked, filters: given(filters) },
    }),
  )
  const words = catalogues[call.language].users
  return {
    name: `${words.export.fileName}_${day}.${FORMAT}`,
    type: TABLE_TYPES[FORMAT],
    open: () =>
      tableFile({
        format: FORMAT,
        name: words.export.fileName,
        header: EXPORT_COLUMNS.map((column) => words.search.columns[column]),
        rows: cellsOf(tx, call, input, isUnmasked),
        onEnd: end,
      }),
  }
}

/** What was narrowed, without what was left as it is. */
function given(filters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
}

async function* cellsOf(
  tx: Transaction<Database>,
  { actor, language }: Call<typeof endpoint>,
  input: Input,
  isUnmasked: boolean,
): AsyncGenerator<string[]> {
  const shown = isUnmasked ? hyphenated : masked
  for await (const row of userRows(tx, actor, input, language).stream(ROWS_AT_ONCE)) {
    const cells = shown(row)
    yield EXPORT_COLUMNS.map((column) => cells[column])
  }
}

/** Phone numbers as people write them: digits alone would lose their zero where a spreadsheet opens a CSV. */
function hyphenated(row: Row): Row {
  return { ...row, PHONE_NUMBER: row.PHONE_NUMBER.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2-$3') }
}

/** 010-****-5678 and ho***@example.com. */
function masked(row: Row): Row {
  const [local = '', domain = ''] = row.E_MAIL.split('@')
  return {
    ...row,
    PHONE_NUMBER: row.PHONE_NUMBER.replace(/^(\d{3})\d{4}(\d{4})$/, '$1-****-$2'),
    E_MAIL: `${local.slice(0, 2)}***@${domain}`,
  }
}
