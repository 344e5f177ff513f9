import type { InputOf } from '../../../contract/endpoint.ts'
import {
  type checkImport,
  IMPORT_COLUMNS,
  IMPORT_MAX_ROWS,
  type ImportColumn,
} from '../../../contract/users.ts'
import { isExample } from './import-examples.ts'
import { readDate } from '../../ui/dates.ts'

/** What a file is for: new users, or those who are registered. */
export type ImportMode = 'register' | 'update'

/** What a file of users holds, ready for the call. */
export interface ImportFile {
  source: File
  rows: InputOf<typeof checkImport>['rows']
  /** How many rows are those of the template that show how: they are left out. */
  examples: number
  /** Columns that no import knows. */
  unknown: string[]
}

/** Why a file cannot be imported at all: a key of the words, and what belongs into them. */
export class UnfitFile extends Error {
  readonly reason:
    'tooLarge' | 'unreadable' | 'notTable' | 'noRows' | 'onlyExamples' | 'tooManyRows' | 'missingColumns'
  readonly columns: readonly ImportColumn[]

  constructor(reason: UnfitFile['reason'], columns: readonly ImportColumn[] = []) {
    super(reason)
    this.reason = reason
    this.columns = columns
  }
}

/** Ten thousand rows are far smaller. */
const MAX_BYTES = 5 * 1024 * 1024

/** Without partner codes everybody gets the one of their affiliation (rules/affiliations#default-partner). */
const NEEDED: Record<ImportMode, readonly ImportColumn[]> = {
  register: IMPORT_COLUMNS.filter((column) => column !== 'partnerCode'),
  update: ['userId'],
}

/**
 * Reads a file of users in the browser: nothing but its rows is sent, and no file of a stranger reaches the server.
 * @param names the columns as files may call them, in every language
 * @throws {UnfitFile}
 */
export async function readImportFile(
  mode: ImportMode,
  file: File,
  names: ReadonlyMap<string, ImportColumn>,
): Promise<ImportFile> {
  if (file.size > MAX_BYTES) throw new UnfitFile('tooLarge')
  const cells = await readCells(new Uint8Array(await file.arrayBuffer()))
  const [header = [], ...body] = cells
  const titles = header.map((title) => title.trim())
  const columns = titles.map((title) => names.get(title.toLowerCase()))
  // A text of another kind has a first line too, but nothing in it is a column.
  if (columns.every((column) => column === undefined)) throw new UnfitFile('notTable')
  const missing = NEEDED[mode].filter((column) => !columns.includes(column))
  if (missing.length > 0) throw new UnfitFile('missingColumns', missing)

  const rows: ImportFile['rows'] = []
  let examples = 0
  for (const [index, line] of body.entries()) {
    if (line.every((text) => text.trim() === '')) continue
    const row = rowOf(line, columns)
    // As a spreadsheet counts: from 1, with the header.
    if (isExample(row)) examples += 1
    else rows.push({ ...row, line: index + 2 })
  }
  if (rows.length === 0) throw new UnfitFile(examples > 0 ? 'onlyExamples' : 'noRows')
  if (rows.length > IMPORT_MAX_ROWS) throw new UnfitFile('tooManyRows')
  const unknown = titles.filter((title, index) => title !== '' && columns[index] === undefined)
  return { source: file, rows, examples, unknown }
}

function rowOf(line: readonly string[], columns: readonly (ImportColumn | undefined)[]) {
  const row: Partial<Record<ImportColumn, string>> = {}
  for (const [index, column] of columns.entries()) {
    if (column !== undefined) row[column] = clean(column, unguarded((line[index] ?? '').trim()))
  }
  return row
}

/** Without the apostrophe that an export puts before what a spreadsheet takes for a formula (rules/lists#formulas). */
const unguarded = (text: string) => text.replace(/^'(?=[=+\-@＝＋－＠])/, '')

/** What spreadsheets make of phone numbers and dates, as the form writes them; anything else stays as it stands. */
function clean(column: ImportColumn, text: string): string {
  if (column === 'phoneNumber') {
    const digits = text.replaceAll(/[\s-]/g, '')
    // Excel takes 01012345678 for a number and drops its zero.
    return /^10\d{8}$/.test(digits) ? `0${digits}` : digits
  }
  if (column === 'validFrom' || column === 'validTo') return readDate(text) ?? text
  return text
}

/** The cells of a CSV or XLSX file, line by line. @throws {UnfitFile} */
export async function readCells(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  try {
    // 'PK': a ZIP, which an XLSX file is.
    return bytes[0] === 0x50 && bytes[1] === 0x4b ? await readSheet(bytes) : await readCsv(bytes)
  } catch {
    throw new UnfitFile('unreadable')
  }
}

async function readSheet(bytes: Uint8Array): Promise<string[][]> {
  const { streamXlsxRows } = await import('hucre/xlsx')
  const cells: string[][] = []
  for await (const { index, values } of streamXlsxRows(bytes, { maxRows: IMPORT_MAX_ROWS + 1000 })) {
    // Empty rows are left out by some writers: each stays at its own line.
    while (cells.length < Math.min(index, IMPORT_MAX_ROWS * 2)) cells.push([])
    cells.push(values.map(textOf))
  }
  return cells
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** CSV as UTF-8, with or without BOM, or as Korean Excel saves it (CP949). */
async function readCsv(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  const { parseCsv } = await import('hucre/csv')
  const text = decode(bytes)
  // A text with NUL in it is a file of another kind.
  if (text.includes('\0')) throw new UnfitFile('unreadable')
  return parseCsv(text).map((line) => line.map(textOf))
}

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The decoder that the web calls euc-kr is CP949.
    return new TextDecoder('euc-kr', { fatal: true }).decode(bytes)
  }
}
