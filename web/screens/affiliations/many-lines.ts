import {
  AFFILIATION_COLUMNS,
  type AffiliationColumn,
  createAffiliations,
} from '../../../contract/affiliations.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { affiliationImport as en } from '../../../contract/messages/en/affiliation-import.ts'
import { affiliationImport as ko } from '../../../contract/messages/ko/affiliation-import.ts'
import { wireNames } from '../../../contract/wire.ts'
import { isMostly, plainHeading } from '../../imports/map-columns.ts'

/** Rows of typed or pasted text, with their line numbers from 1. */
export interface ManyRows {
  rows: InputOf<typeof createAffiliations>['rows']
  lines: number[]
  /** Headings that are no column. */
  unknown: string[]
}

/**
 * Returns the column of each heading that a file may use, as `plainHeading` returns it: in either language, and by the
 * wire name.
 */
function headings(): Map<string, AffiliationColumn> {
  const { toWire } = wireNames(createAffiliations)
  return new Map(
    AFFILIATION_COLUMNS.flatMap((column) =>
      [ko, en]
        .flatMap(({ columns, synonyms }) => [columns[column], ...synonyms[column]])
        .concat(toWire(column))
        .map((heading): [string, AffiliationColumn] => [plainHeading(heading), column]),
    ),
  )
}

/**
 * Returns the columns of lines without headings: the order of `AFFILIATION_COLUMNS`. A column that mostly names other
 * lines or existing affiliations is the parent wherever it is, because no other column may repeat a name.
 */
function columnsByPlace(
  lines: readonly (readonly string[])[],
  present: readonly string[],
): readonly AffiliationColumn[] {
  const names = new Set([...present, ...lines.map(([name = '']) => name)].map((name) => name.toLowerCase()))
  const isParent = (place: number): boolean => {
    const others = lines.filter((cells) => cells[place] !== cells[0])
    return isMostly(
      others.map((cells) => cells[place]),
      names,
    )
  }
  const others: AffiliationColumn[] = AFFILIATION_COLUMNS.filter((column) => column !== 'parentName')
  const place = AFFILIATION_COLUMNS.findIndex((_, index) => index > 0 && isParent(index))
  return place < 0 ? AFFILIATION_COLUMNS : others.toSpliced(place, 0, 'parentName')
}

/**
 * Reads lines with columns separated by tabs, as pasted from a spreadsheet, or by commas, as in CSV. Skips blank lines.
 * A first line with a heading for the name sets the columns and drops unknown ones. Otherwise see `columnsByPlace`.
 * @param present names of existing affiliations
 */
export async function readLines(text: string, present: readonly string[]): Promise<ManyRows> {
  const { parseCsv } = await import('hucre/csv')
  const known = headings()
  const cellsOf = (line: string): string[] =>
    line.includes('\t') ? line.split('\t') : (parseCsv(line)[0] ?? []).map((cell) => String(cell ?? ''))
  const all = text
    .split('\n')
    .map((line, index) => ({ number: index + 1, cells: cellsOf(line).map((cell) => cell.trim()) }))
  const filled = all.filter(({ cells }) => cells.some((cell) => cell !== ''))
  const titles = filled[0]?.cells.map((cell) => known.get(plainHeading(cell))) ?? []
  const hasTitles = titles.includes('name')
  const body = hasTitles ? filled.slice(1) : filled
  const columns = hasTitles
    ? titles
    : columnsByPlace(
        body.map(({ cells }) => cells),
        present,
      )
  return {
    rows: body.map(({ cells }) =>
      Object.fromEntries(
        columns.flatMap((column, index) => (column === undefined ? [] : [[column, cells[index] ?? '']])),
      ),
    ),
    lines: body.map(({ number }) => number),
    unknown: hasTitles ? (filled[0]?.cells ?? []).filter((cell, at) => cell !== '' && !titles[at]) : [],
  }
}

/**
 * Formats the cells of a file as lines with tabs, which a user can read and correct. Tabs and line breaks in a cell
 * become spaces.
 */
export const asLines = (cells: readonly (readonly string[])[]): string =>
  cells.map((line) => line.map((cell) => cell.replaceAll(/[\t\r\n]+/g, ' ')).join('\t')).join('\n')
