import { saveContent } from '../api/download.ts'

/** A file for users to fill in. */
interface Template<Column extends string> {
  /** Name of the file and of its first sheet. */
  name: string
  columns: readonly Column[]
  headings: Readonly<Record<Column, string>>
  /** The example rows. */
  examples: readonly Readonly<Record<Column, string | number | Date>>[]
  /** The options of the columns that have a fixed list. */
  choices: Readonly<Partial<Record<Column, readonly string[]>>>
  /** Name of the sheet that lists the options. */
  choicesName: string
  maxRows: number
}

/**
 * Saves a template as an XLSX file in the downloads of the browser: headings, example rows, and drop-down lists
 * for the columns with fixed options. Supports at most 26 columns. The options are on their own sheet, because a
 * list inside a cell's rule is limited to 255 characters.
 */
export async function saveTemplate<Column extends string>(template: Template<Column>): Promise<void> {
  const { name, columns, headings, examples, choices, choicesName, maxRows } = template
  const { writeXlsx } = await import('hucre/xlsx')
  const listed = columns.flatMap((column) => {
    const options = choices[column]
    return options === undefined ? [] : [{ column, options }]
  })
  const length = Math.max(...listed.map(({ options }) => options.length))
  const bytes = await writeXlsx({
    sheets: [
      {
        name,
        columns: columns.map(() => ({ width: 20 })),
        rows: [
          columns.map((column) => headings[column]),
          ...examples.map((row) => columns.map((column) => row[column])),
        ],
        freezePane: { rows: 1 },
        dataValidations: listed.map(({ column, options }, index) => ({
          type: 'list',
          range: cells(columns.indexOf(column), maxRows, ''),
          formula1: `'${choicesName}'!${cells(index, options.length, '$')}`,
          allowBlank: true,
          // Codes are valid too, so a text outside the list only warns.
          showErrorMessage: true,
          errorStyle: 'warning',
        })),
      },
      {
        name: choicesName,
        columns: listed.map(() => ({ width: 24 })),
        rows: [
          listed.map(({ column }) => headings[column]),
          ...Array.from({ length }, (_, at) => listed.map(({ options }) => options[at] ?? null)),
        ],
      },
    ],
  })
  saveContent(new Blob([new Uint8Array(bytes)]), `${name}.xlsx`)
}

const DAY_MS = 24 * 60 * 60_000

/** Returns the validity period of example rows: the first and the last day of this year. */
export const exampleValidity = () => ({
  validFrom: firstOfYear(0),
  validTo: new Date(firstOfYear(1).getTime() - DAY_MS),
})

/** Returns the first day of this year, or of a later one. */
const firstOfYear = (later: number) => new Date(Date.UTC(new Date().getFullYear() + later, 0, 1))

/**
 * Returns the range of `count` cells below the heading of a column, at least one cell, such as A2:A11. Works up to
 * column Z.
 * @param fixed '$' for absolute references
 */
function cells(column: number, count: number, fixed: '' | '$'): string {
  const letter = fixed + String.fromCodePoint('A'.charCodeAt(0) + column) + fixed
  return `${letter}2:${letter}${Math.max(count, 1) + 1}`
}
