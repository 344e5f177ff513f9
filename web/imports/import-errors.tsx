import { safeCsvCell } from '../../contract/formulas.ts'
import { saveContent } from '../api/save-content.ts'
import { Button } from '../ui/button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { CellTable, type SaidOfCell } from './cell-table.tsx'
import type { FileRow } from './read-file.ts'
import type { ImportWords } from './words.ts'
import layout from '../ui/layout.module.css'

interface Props<Column extends string> {
  words: ImportWords
  headings: Readonly<Record<Column, string>>
  rows: readonly FileRow<Column>[]
  /** The first of them. */
  errors: readonly SaidOfCell<Column>[]
  errorCount: number
}

/** Lists every wrong cell of a file, with a button that saves the list. */
export function ImportErrors<Column extends string>(props: Props<Column>) {
  const { words: t, headings, rows, errors, errorCount } = props
  return (
    <>
      <div className={layout.row}>
        <Button size="small" onClick={() => void saveErrors(props)}>
          <DownloadIcon size={16} />
          {t.saveErrors}
        </Button>
      </div>
      {errorCount > errors.length && <p>{t.shownOnly(errors.length.toLocaleString())}</p>}
      <CellTable words={t} label={t.errors} headings={headings} rows={rows} cells={errors} />
    </>
  )
}

/** Saves the wrong cells as a file for the user who corrects them. */
async function saveErrors<Column extends string>(props: Props<Column>): Promise<void> {
  const { words: t, headings, rows, errors } = props
  const { writeCsv } = await import('hucre/csv')
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
  const csv = writeCsv([[line, field, value, message], ...lines], { bom: true, quoteStyle: 'all' })
  saveContent(new Blob([csv], { type: 'text/csv' }), `${t.errorsName}.csv`)
}
