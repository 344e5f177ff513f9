import {
  AFFILIATION_COLUMNS,
  type AffiliationColumn,
  createAffiliations,
} from '../../../contract/affiliations.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { affiliationImport as en } from '../../../contract/messages/en/affiliation-import.ts'
import { affiliationImport as ko } from '../../../contract/messages/ko/affiliation-import.ts'
import { wireNames } from '../../../contract/wire.ts'

/** The rows of typed or pasted text, with their line numbers. */
export interface ManyRows {
  rows: InputOf<typeof createAffiliations>['rows']
  lines: number[]
}

/** Returns the column of each heading that a file may use: in either language, and by the wire name. */
function headings(): Map<string, AffiliationColumn> {
  const { toWire } = wireNames(createAffiliations)
  return new Map(
    AFFILIATION_COLUMNS.flatMap((column) =>
      [ko.columns[column], en.columns[column], toWire(column)].map((heading): [string, AffiliationColumn] => [
        heading.toLowerCase(),
        column,
      ]),
    ),
  )
}

/**
 * Reads lines with columns separated by tabs, as pasted from a spreadsheet, or by commas, as in CSV. Skips blank lines. A
 * first line with a heading for the name sets the columns and drops unknown ones. Otherwise they are in the order of
 * `AFFILIATION_COLUMNS`.
 */
export async function readLines(text: string): Promise<ManyRows> {
  const { parseCsv } = await import('hucre/csv')
  const known = headings()
  const cellsOf = (line: string): string[] =>
    line.includes('\t') ? line.split('\t') : (parseCsv(line)[0] ?? []).map((cell) => String(cell ?? ''))
  const all = text
    .split('\n')
    .map((line, index) => ({ number: index + 1, cells: cellsOf(line).map((cell) => cell.trim()) }))
  const filled = all.filter(({ cells }) => cells.some((cell) => cell !== ''))
  const titles = filled[0]?.cells.map((cell) => known.get(cell.toLowerCase())) ?? []
  const hasTitles = titles.includes('name')
  const columns = hasTitles ? titles : AFFILIATION_COLUMNS
  const body = hasTitles ? filled.slice(1) : filled
  return {
    rows: body.map(({ cells }) =>
      Object.fromEntries(
        columns.flatMap((column, index) => (column === undefined ? [] : [[column, cells[index] ?? '']])),
      ),
    ),
    lines: body.map(({ number }) => number),
  }
}

/**
 * Formats the cells of a file as lines with tabs, which a user can read and correct. Tabs and line breaks in a cell become
 * spaces.
 */
export const asLines = (cells: readonly (readonly string[])[]): string =>
  cells.map((line) => line.map((cell) => cell.replaceAll(/[\t\r\n]+/g, ' ')).join('\t')).join('\n')
