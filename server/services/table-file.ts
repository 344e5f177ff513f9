import { Readable } from 'node:stream'

/** The forms in which a list leaves Maru. */
export type TableFormat = 'csv' | 'xlsx'

/** What a file of a form is called in HTTP. */
export const TABLE_TYPES: Record<TableFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The rows that one sheet of Excel takes below its header; more than that is refused, not cut off. */
export const MAX_XLSX_ROWS = 2 ** 20 - 1

/** How long a file may wait for its reader before it is given up. */
const STALL_MS = 60_000

/** How long a file may take in all: its snapshot takes a place and keeps the database from cleaning up. */
const DEADLINE_MS = 60 * 60_000

// What a spreadsheet reads as a formula, full-width forms included.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A text that no spreadsheet reads as a formula: with an apostrophe in front (rules/lists#formulas). */
function safeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** What the texts of a column stand for: in XLSX such a cell is a number or a date (rules/lists#formulas). */
export type CellKind = 'number' | 'date' | 'moment'

const NUMBER_FORMATS: Record<CellKind, string> = {
  number: '#,##0',
  date: 'yyyy-mm-dd',
  moment: 'yyyy-mm-dd hh:mm:ss',
}

const PATTERNS: Record<CellKind, RegExp> = {
  number: /^-?\d{1,15}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  moment: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
}

/** A cell of an XLSX file: what its column stands for, or a safe text where it says something else. */
function typedCell(text: string, kind: CellKind | undefined): string | number | Date | null {
  if (kind === undefined || !PATTERNS[kind].test(text)) return text === '' ? null : safeCell(text)
  // A cell knows no time zone: it shows the day and time that the list shows.
  return kind === 'number'
    ? Number(text)
    : new Date(`${text.replace(' ', 'T')}${kind === 'date' ? 'T00:00:00' : ''}Z`)
}

/** A file to be written. */
export interface Table {
  format: TableFormat
  /** Of the sheet. */
  name: string
  header: readonly string[]
  /** By column; a column without one is text, so that numbers with leading zeros stay as they are. */
  kinds?: readonly (CellKind | undefined)[]
  /** Texts, whatever they stand for. */
  rows: AsyncIterable<readonly string[]>
  /** Told when all rows are read, and when no file is written any more: it is closed, or could not be begun. */
  onEnd: () => Promise<void>
  stallMs?: number
  deadlineMs?: number
}

/** Writes a table as it is read: what is in memory does not grow with its rows. */
export async function tableFile({
  format,
  name,
  header,
  kinds = [],
  rows,
  onEnd,
  stallMs = STALL_MS,
  deadlineMs = DEADLINE_MS,
}: Table): Promise<Readable> {
  const [{ writeCsvStream }, { writeXlsxStream }] = await importWriters().catch(async (error: unknown) => {
    await onEnd()
    throw error
  })
  const source = rows[Symbol.asyncIterator]()
  const timer = setTimeout(() => file.destroy(new Error('Nobody reads the file')), stallMs)
  const deadline = setTimeout(() => file.destroy(new Error('The file takes too long')), deadlineMs)
  const texts = liveRows({ [Symbol.asyncIterator]: () => source }, timer, onEnd)
  const file =
    format === 'csv'
      ? Readable.fromWeb(writeCsvStream(withHeader(header, cellsOf(texts, safeCell)), { bom: true }) as never)
      : Readable.fromWeb(
          writeXlsxStream(
            cellsOf(texts, (text, column) => typedCell(text, kinds[column])),
            {
              name,
              columns: header.map((title, column) => {
                const kind = kinds[column]
                return { header: title, width: 18, ...(kind && { numFmt: NUMBER_FORMATS[kind] }) }
              }),
              freezePane: { rows: 1 },
            },
          ) as never,
        )
  file.once('close', () => {
    clearTimeout(timer)
    clearTimeout(deadline)
    // The query ends before its connection is given back, even if it has not given a row yet.
    void Promise.resolve(source.return?.())
      .catch(() => {})
      .then(onEnd)
  })
  return file
}

/** With the first export: a large library. */
const importWriters = () => Promise.all([import('hucre/csv'), import('hucre/xlsx')])

async function* liveRows(
  rows: AsyncIterable<readonly string[]>,
  timer: NodeJS.Timeout,
  onEnd: Table['onEnd'],
) {
  for await (const row of rows) {
    timer.refresh()
    yield row
  }
  // Before the last byte is sent: a caller with the whole file may ask for the next one.
  await onEnd()
}

async function* cellsOf<Cell>(
  rows: AsyncIterable<readonly string[]>,
  cellOf: (text: string, column: number) => Cell,
): AsyncGenerator<Cell[]> {
  for await (const row of rows) yield row.map(cellOf)
}

async function* withHeader(header: readonly string[], rows: AsyncIterable<string[]>) {
  yield [...header]
  yield* rows
}
