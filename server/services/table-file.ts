import { Readable } from 'node:stream'
import { safeCell, safeCsvCell } from '../../contract/formulas.ts'
import { type LiveFile, liveFile } from './live-file.ts'

/** The forms in which a list leaves Maru. */
export type TableFormat = 'csv' | 'xlsx'

/** Content type of a file of each format. */
export const TABLE_TYPES: Record<TableFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The rows that one sheet of Excel takes below its header; more than that is refused, not cut off. */
export const MAX_XLSX_ROWS = 2 ** 20 - 1

/** Meaning of a column's texts. In XLSX such a cell is a number or a date (rules/lists#formulas). */
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

/** Characters of names from earlier versions that no XML takes: a spreadsheet does not open a file with one. */
const NOT_XML = /[\ufffe\uffff]/g

/** The start of what a spreadsheet reads as one character, such as `_x003D_` for `=`. */
const ESCAPE = /_x(?=[\da-f]{4}_)/gi

const xlsxText = (text: string) => safeCell(text).replaceAll(NOT_XML, '\ufffd').replaceAll(ESCAPE, '_x005F_x')

/** A cell of an XLSX file: what its column stands for, or a safe text where it says something else. */
function typedCell(text: string, kind: CellKind | undefined): string | number | Date | null {
  if (kind === undefined || !PATTERNS[kind].test(text)) return text === '' ? null : xlsxText(text)
  // A cell knows no time zone: it shows the day and time that the list shows.
  return kind === 'number'
    ? Number(text)
    : new Date(`${text.replace(' ', 'T')}${kind === 'date' ? 'T00:00:00' : ''}Z`)
}

/** A file to be written. */
export interface Table extends LiveFile {
  format: TableFormat
  /** Name of the sheet. */
  name: string
  header: readonly string[]
  /** By column; a column without one is text, so that numbers with leading zeros stay as they are. */
  kinds?: readonly (CellKind | undefined)[]
  /** Texts, whatever they stand for. */
  rows: AsyncIterable<readonly string[]>
}

/** Writes a table as it is read: what is in memory does not grow with its rows. */
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

/** With the first export: a large library. */
const importWriters = () => Promise.all([import('hucre/csv'), import('hucre/xlsx')])

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
