import { withoutGuards } from '../../contract/formulas.ts'
import { readDate } from '../ui/dates.ts'
import {
  type ColumnAnswer,
  type ColumnMap,
  type ColumnMapping,
  type Copies,
  guessByValues,
  guessColumns,
  readAnswer,
  storeAnswer,
} from './map-columns.ts'

/** The format of import files: their columns and limits. */
export interface FileShape<Column extends string> {
  columns: readonly Column[]
  /** Columns that a file may lack. */
  optional: readonly Column[]
  maxRows: number
  /** Converts a cell from the form that spreadsheets give it to the form that the API takes. Returns any other text unchanged. */
  clean: (column: Column, text: string) => string
  /** Returns whether a row is an example row of the template. */
  isExample: (row: Partial<Record<Column, string>>) => boolean
}

/**
 * A row of a file. An empty cell is ''; a column that the file lacks is absent. `line` counts from 1 as in a spreadsheet, including the
 * header and blank rows.
 */
export type FileRow<Column extends string> = Partial<Record<Column, string>> & { line: number }

/** The content of a file, ready for the call. */
export interface ImportFile<Column extends string> {
  name: string
  rows: FileRow<Column>[]
  /** Number of example rows of the template, which are skipped. */
  examples: number
  /** Columns that the import does not support. */
  unknown: string[]
}

/** Thrown when a file cannot be imported at all. Holds the key of the message and its values. */
export class UnfitFile extends Error {
  readonly reason:
    | 'tooLarge'
    | 'unpacked'
    | 'unreadable'
    | 'notTable'
    | 'noRows'
    | 'onlyExamples'
    | 'tooManyRows'
    | 'missingColumns'
  /** The missing columns. */
  readonly columns: readonly string[]

  constructor(reason: UnfitFile['reason'], columns: readonly string[] = []) {
    super(reason)
    this.reason = reason
    this.columns = columns
  }
}

/** Maximum size of an import file in bytes: a file of ten thousand rows is far smaller. */
const MAX_BYTES = 5 * 1024 * 1024

/**
 * Bytes that an XLSX file may unpack to, and characters that its cells may hold: twice those of an export of ten thousand users.
 * Each cell counts as CELL characters more, because an empty cell uses memory too.
 */
const MAX_UNPACKED = 24 * 1024 * 1024
const CELL = 16

/** Maximum number of lines of a sheet that are read, including the header. No import takes more. */
const MAX_LINES = 11_000

/**
 * Reads the rows of an import file in the browser, without blank and example rows. Only the rows are sent, so
 * that no untrusted file reaches the server.
 * @param names names of the columns in files, in lower case and every language
 * @param mapping asks about headings that are no such names; without it, a file that lacks columns is refused
 * @returns null if the user cancels the question
 * @throws {UnfitFile} if it is too large, is not a table, lacks columns, or has no rows or too many
 */
export async function readImportFile<Column extends string>(
  file: File,
  shape: FileShape<Column>,
  names: ReadonlyMap<string, Column>,
  mapping?: ColumnMapping<Column>,
): Promise<ImportFile<Column> | null> {
  if (file.size > MAX_BYTES) throw new UnfitFile('tooLarge')
  const [header = [], ...body] = await readCells(await bytesOf(file))
  const titles = header.map((title) => title.trim())
  const known = titles.map((title) => names.get(title.toLowerCase()))
  const answer = await mapColumns({ titles, body, known, shape, mapping })
  if (answer === null) return null
  const { columns, shared, copies } = answer
  // A text file of another kind has a first line too, but it contains no column.
  if (columns.every((column) => column === undefined)) throw new UnfitFile('notTable')
  const missing = missingOf(shape, [...columns, ...Object.keys(shared), ...Object.keys(copies)])
  if (missing.length > 0) throw new UnfitFile('missingColumns', missing)

  const sources = sourcesOf(answer, shape)
  const rows: FileRow<Column>[] = []
  let examples = 0
  for (const [index, line] of body.entries()) {
    if (isBlank(line)) continue
    const row = { ...shared, ...rowOf(line, sources, shape.clean) }
    // Counted as in a spreadsheet: from 1, including the header.
    if (shape.isExample(row)) examples += 1
    else rows.push({ ...row, line: index + 2 })
  }
  if (rows.length === 0) throw new UnfitFile(examples > 0 ? 'onlyExamples' : 'noRows')
  if (rows.length > shape.maxRows) throw new UnfitFile('tooManyRows')
  const unknown = titles.filter(
    (title, index) => title !== '' && sources.every(([, place]) => place !== index),
  )
  return { name: file.name, rows, examples, unknown }
}

/** Returns whether all cells of a line are empty or blank. */
const isBlank = (line: readonly string[]): boolean => line.every((text) => text.trim() === '')

/** Returns the required columns that are not among `columns`. */
function missingOf<Column extends string>(
  { columns: all, optional }: FileShape<Column>,
  columns: readonly (string | undefined)[],
): Column[] {
  return all.filter((column) => !optional.includes(column) && !columns.includes(column))
}

/** A file whose columns are to be found: its headings, and the lines below them. */
interface Table<Column extends string> {
  titles: readonly string[]
  body: readonly (readonly string[])[]
  /** The columns of the headings that the import knows. */
  known: ColumnMap<Column>
  shape: FileShape<Column>
  mapping: ColumnMapping<Column> | undefined
}

/**
 * Finds the column of the import for each heading of a file. Asks the user (`mapping.ask`) only if required
 * columns are missing, if other headings seem to be columns, or if fewer than two headings are known; then stores
 * the answer for files with the same headings.
 * @returns null if the user cancels
 */
async function mapColumns<Column extends string>({
  titles,
  body,
  known,
  shape,
  mapping,
}: Table<Column>): Promise<ColumnAnswer<Column> | null> {
  const copies = {} as Copies<Column>
  const asKnown = { columns: known, copies, shared: {} as Partial<Record<Column, string>> }
  // A text file of another kind has no second column.
  const isTable = titles.filter((title) => title !== '').length > 1 && body.some((line) => !isBlank(line))
  if (mapping === undefined || !isTable) return asKnown
  const { synonyms, named, storageKey, ask } = mapping
  const guessed = guessByValues(guessColumns(titles, known, synonyms), known, body, named)
  const isClear =
    missingOf(shape, known).length === 0 &&
    known.every((column, index) => guessed[index] === column) &&
    known.filter((column) => column !== undefined).length > 1
  if (isClear) return asKnown
  const answer = await ask({
    titles,
    samples: titles.map((_, index) => body.map((line) => (line[index] ?? '').trim()).find(Boolean) ?? ''),
    ...(readAnswer(storageKey, titles, shape.columns) ?? { columns: guessed, copies }),
    choices: shape.columns,
    required: missingOf(shape, []),
  })
  if (answer !== null) storeAnswer(storageKey, titles, answer)
  return answer
}

/** Returns the bytes of a file. @throws {UnfitFile} if it is a folder, or was saved or moved since the user chose it */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new UnfitFile('unreadable')
  }
}

/**
 * Returns each column of the import with the index of the file's column that fills it. One file column may fill
 * several (`copies`).
 */
const sourcesOf = <Column extends string>(
  { columns, copies }: ColumnAnswer<Column>,
  { columns: all }: FileShape<Column>,
): [Column, number][] =>
  [...columns, ...all.filter((column) => copies[column] !== undefined)].flatMap(
    (column, index): [Column, number][] =>
      column === undefined ? [] : [[column, index < columns.length ? index : (copies[column] ?? 0)]],
  )

/**
 * Returns the cells of a line by column: trimmed, without the guard against formulas, and in the form of the API
 * (`clean`).
 */
function rowOf<Column extends string>(
  line: readonly string[],
  sources: readonly (readonly [Column, number])[],
  clean: FileShape<Column>['clean'],
) {
  const row: Partial<Record<Column, string>> = {}
  for (const [column, place] of sources)
    row[column] = clean(column, withoutGuards((line[place] ?? '').trim()).trim())
  return row
}

/** Converts a date, as `readDate` accepts it, to YYYY-MM-DD. Returns any other text unchanged. */
export const cleanDay = (text: string): string => readDate(text) ?? text

/**
 * Maps every name of a column in files to the column. The names become lower case.
 * @param namesOf returns the headings of a column in both languages, its former headings and its wire name
 */
export function columnNames<Column extends string>(
  columns: readonly Column[],
  namesOf: (column: Column) => readonly string[],
): Map<string, Column> {
  return new Map(
    columns.flatMap((column) =>
      namesOf(column).map((name): [string, Column] => [name.toLowerCase(), column]),
    ),
  )
}

/**
 * Returns the cells of a file, line by line: XLSX if it starts as a ZIP, otherwise CSV.
 * @throws {UnfitFile} if it cannot be read, or unpacks to too much
 */
export async function readCells(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  try {
    // 'PK': a ZIP, which an XLSX file is.
    return bytes[0] === 0x50 && bytes[1] === 0x4b ? await readSheet(bytes) : await readCsv(bytes)
  } catch (error) {
    throw error instanceof UnfitFile ? error : new UnfitFile('unreadable')
  }
}

/**
 * Returns how many bytes the parts of a ZIP unpack to, according to its central directory: the list at the end of
 * the file, with an entry per part. hucre limits each part to its size there, but takes the size from elsewhere if
 * it is missing.
 * @returns Infinity if an entry lacks its size, or the file has the form ZIP64
 * @throws {RangeError} if there is no directory
 */
function unpackedSize(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // The end record: 'PK\5\6' at the start, the number of entries at 10, the position of the directory at 16.
  let end = view.byteLength - 22
  while (view.getUint32(end, true) !== 0x06054b50) end -= 1
  const count = view.getUint16(end + 10, true)
  if (count === 0xffff || view.getUint32(end + 12, true) === 0xffffffff) return Infinity
  let total = 0
  let at = view.getUint32(end + 16, true)
  for (let entry = 0; entry < count; entry += 1) {
    // An entry: flags at 8, packed and unpacked size at 20 and 24, lengths of its variable fields at 28, 30 and 32.
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const isDescribedBehind = packed === 0 && (view.getUint16(at + 8, true) & 8) !== 0
    // A part of two bytes unpacks to nothing.
    total += isDescribedBehind || (size === 0 && packed > 2) ? Infinity : size
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return total
}

/**
 * Reads the first sheet of an XLSX file as texts, at most MAX_LINES lines.
 * @throws {UnfitFile} unpacked, if it unpacks to more than MAX_UNPACKED or its cells hold more
 */
async function readSheet(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  if (unpackedSize(bytes) > MAX_UNPACKED) throw new UnfitFile('unpacked')
  const { streamXlsxRows } = await import('hucre/xlsx')
  const cells: string[][] = []
  let room = MAX_UNPACKED
  for await (const { index, values } of streamXlsxRows(bytes, { maxRows: MAX_LINES })) {
    // Some writers omit empty rows. The other rows must keep their line numbers.
    while (cells.length < Math.min(index, MAX_LINES * 2)) cells.push([])
    const texts = values.map(textOf)
    room -= texts.reduce((sum, text) => sum + text.length + CELL, 0)
    if (room < 0) throw new UnfitFile('unpacked')
    cells.push(texts)
  }
  return cells
}

/** Returns a cell as text: a date as YYYY-MM-DD, '' for an empty cell or any other kind of value. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** Reads CSV in UTF-8, with or without BOM, or in CP949, as Korean Excel saves it. */
async function readCsv(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  const { parseCsv } = await import('hucre/csv')
  const text = decode(bytes)
  // A text that contains NUL is a file of another kind.
  if (text.includes('\0')) throw new UnfitFile('unreadable')
  return parseCsv(text).map((line) => line.map(textOf))
}

/** Decodes UTF-8, or CP949 if it is not valid UTF-8. @throws {TypeError} if it is neither */
function decode(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Browsers call CP949 euc-kr.
    return new TextDecoder('euc-kr', { fatal: true }).decode(bytes)
  }
}
