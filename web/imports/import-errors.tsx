import { safeCsvCell } from '../../contract/formulas.ts'
import { saveContent } from '../api/download.ts'
import { Button } from '../ui/button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import type { FileRow } from './read-file.ts'
import { splitRows, tableOfWrong } from './split-rows.ts'
import type { ImportWords } from './import-parts.tsx'
import layout from '../ui/layout.module.css'
import { PagedTable } from '../lists/paged-table.tsx'

interface Props<Column extends string> {
  words: ImportWords
  headings: Readonly<Record<Column, string>>
  rows: readonly FileRow<Column>[]
  /** The first errors; `errorCount` may be higher. */
  errors: readonly SaidOfCell<Column>[]
  errorCount: number
  /** Checks the rows without errors alone. Without it, a file with errors is corrected as a whole. */
  onKeep?: (rows: FileRow<Column>[]) => Promise<void>
}

/**
 * Shows the wrong cells that the dry run returned, and states if there are more. One button saves the list as CSV.
 * With `onKeep`, another saves the rows with errors as CSV and continues with the others alone; it is hidden if
 * not all errors are listed or no row is without one.
 */
export function ImportErrors<Column extends string>(props: Props<Column>) {
  const { words: t, headings, rows, errors, errorCount, onKeep } = props
  const { good } = splitRows(rows, errors)
  // The dry run returns only the first errors of a file with very many.
  const canKeep = onKeep !== undefined && errorCount === errors.length && good.length > 0

  /** Saves the rows with errors, then continues with the others. */
  async function keepGood(): Promise<void> {
    await saveWrong(props)
    await onKeep?.(good)
  }

  return (
    <>
      <div className={layout.row}>
        <Button size="small" onClick={() => void saveErrors(props)}>
          <DownloadIcon size={16} />
          {t.saveErrors}
        </Button>
        {canKeep && (
          <Button size="small" onClick={() => void keepGood()}>
            {t.keepGood(good.length.toLocaleString())}
          </Button>
        )}
      </div>
      {canKeep && <p className={layout.quiet}>{t.keepGoodHint}</p>}
      {errorCount > errors.length && <p>{t.shownOnly(errors.length.toLocaleString())}</p>}
      <CellTable words={t} label={t.errors} headings={headings} rows={rows} cells={errors} />
    </>
  )
}

/** Saves the listed errors as CSV: line, column, content and message of each. For the user who corrects the file. */
async function saveErrors<Column extends string>(props: Props<Column>): Promise<void> {
  const { words: t, headings, rows, errors } = props
  const { line, field, value, message } = t.errorColumns
  const lines = errors.map((error) => {
    const row = rows[error.row - 1]
    return [
      row?.line ?? error.row,
      headings[error.field],
      safeCsvCell(row?.[error.field] ?? ''),
      error.message,
    ]
  })
  await saveCsv([[line, field, value, message], ...lines], t.errorsName)
}

/** Saves the rows with errors and their messages as CSV, so that the user can correct and import them later. */
async function saveWrong<Column extends string>(props: Props<Column>): Promise<void> {
  const { words: t, headings, rows, errors } = props
  const table = tableOfWrong(rows, errors, headings, t.errors)
  await saveCsv(
    table.map((row) => row.map(safeCsvCell)),
    t.restName,
  )
}

/** Saves a table as a CSV file with this name in the downloads of the browser. */
async function saveCsv(table: (string | number)[][], name: string): Promise<void> {
  const { writeCsv } = await import('hucre/csv')
  const csv = writeCsv(table, { bom: true, quoteStyle: 'all' })
  saveContent(new Blob([csv], { type: 'text/csv' }), `${name}.csv`)
}

/** Rows per page of a table of cells. */
const PER_PAGE = 10

/**
 * A message about a cell. `row` counts the rows of the import from 1; it is not the line of the spreadsheet.
 */
interface SaidOfCell<Column extends string> {
  row: number
  field: Column
  message: string
}

/** The cells of a file, and the messages about them. */
interface CellTableProps<Column extends string> {
  words: ImportWords
  label: string
  headings: Readonly<Record<Column, string>>
  rows: readonly FileRow<Column>[]
  cells: readonly SaidOfCell<Column>[]
}

/** Shows cells of a file page by page: the line number as in a spreadsheet, the column, the content and the message. */
export function CellTable<Column extends string>(props: CellTableProps<Column>) {
  const { words: t, label, headings, rows, cells } = props
  return (
    <PagedTable
      label={label}
      columns={[
        {
          key: 'LINE',
          header: t.errorColumns.line,
          width: 90,
          align: 'center',
          render: ({ row }) => rows[row - 1]?.line,
        },
        { key: 'field', header: t.errorColumns.field, width: 180, render: ({ field }) => headings[field] },
        {
          key: 'VALUE',
          header: t.errorColumns.value,
          width: 260,
          render: ({ row, field }) => rows[row - 1]?.[field] ?? '',
        },
        {
          key: 'message',
          header: t.errorColumns.message,
          wraps: 'words',
          render: ({ message }) => message,
        },
      ]}
      rows={cells}
      getRowKey={({ row, field }) => `${row} ${field}`}
      perPage={PER_PAGE}
      empty={t.noErrors}
    />
  )
}
