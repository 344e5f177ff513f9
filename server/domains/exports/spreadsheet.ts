import { Readable } from 'node:stream'
import { safeCell, safeCsvCell } from '../../../contract/formulas.ts'
import { type LiveFile, liveFile } from './streamed-file.ts'

/** File format of a list export. */
export type TableFormat = 'csv' | 'xlsx'

/** Content type of a file of each format. */
export const TABLE_TYPES: Record<TableFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Largest number of rows below the header of an Excel sheet. The caller must refuse a larger table; `tableFile` does not check. */
export const MAX_XLSX_ROWS = 2 ** 20 - 1

/** Meaning of a column's texts. In XLSX such a cell is a number or a date (rules/lists#formulas). */
export type CellKind = 'number' | 'date' | 'moment'

/** Number format of an XLSX cell, by the kind of its column. */
const NUMBER_FORMATS: Record<CellKind, string> = {
  number: '#,##0',
  date: 'yyyy-mm-dd',
  moment: 'yyyy-mm-dd hh:mm:ss',
}

/** Pattern that a text must match to become a number or date, by the kind of its column. */
const PATTERNS: Record<CellKind, RegExp> = {
  number: /^-?\d{1,15}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  moment: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
}

/** Characters that are invalid in XML. Names from earlier versions may contain them, and a spreadsheet would not open the file. */
const NOT_XML = /[\ufffe\uffff]/g

/** Start of an escape that a spreadsheet reads as one character, such as `_x003D_` for `=`. */
const ESCAPE = /_x(?=[\da-f]{4}_)/gi

/**
 * Returns a text for an XLSX cell: safe from being run as a formula, without characters that are invalid in XML,
 * and with escapes that a spreadsheet would read as one character escaped.
 */
const xlsxText = (text: string) => safeCell(text).replaceAll(NOT_XML, '\ufffd').replaceAll(ESCAPE, '_x005F_x')

/** The first day that every spreadsheet program counts alike. */
const FIRST_DAY = '1900-03-01'

/**
 * Converts a text to a number or date of an XLSX file, or to a safe text if it does not match the kind of its column. Returns
 * null for an empty text.
 */
function typedCell(text: string, kind: CellKind | undefined): string | number | Date | null {
  const asText = text === '' ? null : xlsxText(text)
  if (kind === undefined || !PATTERNS[kind].test(text)) return asText
  if (kind === 'number') return Number(text)
  // A cell knows no time zone: it shows the day and time that the list shows.
  const time = new Date(`${text.replace(' ', 'T')}${kind === 'date' ? 'T00:00:00' : ''}Z`)
  // A field of users that was a text before may have days that no calendar has.
  const isDay =
    text >= FIRST_DAY && !Number.isNaN(time.valueOf()) && time.toISOString().startsWith(text.slice(0, 10))
  return isDay ? time : asText
}

/** Content and format of a table file. */
export interface Table extends LiveFile {
  format: TableFormat
  /** Name of the sheet. */
  name: string
  header: readonly string[]
  /** Kind of each column. A column without one is text, so that numbers keep their leading zeros. */
  kinds?: readonly (CellKind | undefined)[]
  /** Cells of each row, as unescaped texts. */
  rows: AsyncIterable<readonly string[]>
}

/**
 * Returns a stream of a CSV or XLSX file, written while the rows are read, as `liveFile`. Memory does not grow
 * with the rows. Escapes texts that a spreadsheet would run as formulas. If the writer cannot be loaded, calls
 * `onEnd` and `onSent` and throws.
 */
export async function tableFile({
  format,
  name,
  header,
  kinds = [],
  rows,
  ...live
}: Table): Promise<Readable> {
  const [{ writeCsvStream }, { writeXlsxStream }] = await importWriters().catch(async (error: unknown) => {
    await live.onEnd()
    live.onSent()
    throw error
  })
  return liveFile(
    rows,
    (texts) =>
      format === 'csv'
        ? Readable.fromWeb(
            writeCsvStream(withHeader(header, cellsOf(texts, safeCsvCell)), {
              bom: true,
              quoteStyle: 'all',
            }) as never,
          )
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
          ),
    live,
  )
}

/** Loads the writers with the first export, because the library is large. */
const importWriters = () => Promise.all([import('hucre/csv'), import('hucre/xlsx')])

/** Yields each row with its texts converted to cells. */
async function* cellsOf<Cell>(
  rows: AsyncIterable<readonly string[]>,
  cellOf: (text: string, column: number) => Cell,
): AsyncGenerator<Cell[]> {
  for await (const row of rows) yield row.map(cellOf)
}

/** Yields the header, then the rows. */
async function* withHeader(header: readonly string[], rows: AsyncIterable<string[]>) {
  yield [...header]
  yield* rows
}
