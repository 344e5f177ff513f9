import { useState } from 'react'
import { saveContent } from '../api/save-content.ts'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { Pager } from '../ui/pager.tsx'
import type { FileRow } from './read-file.ts'
import type { ImportWords } from './words.ts'
import layout from '../ui/layout.module.css'

const PER_PAGE = 10

/** What is wrong with a cell; rows count from 1. */
interface CellError<Column extends string> {
  row: number
  field: Column
  message: string
}

interface Props<Column extends string> {
  words: ImportWords
  headings: Readonly<Record<Column, string>>
  rows: readonly FileRow<Column>[]
  /** The first of them. */
  errors: readonly CellError<Column>[]
  errorCount: number
}

/** Every wrong cell of a file: its line as a spreadsheet counts, its field, what stands there, what is wrong. */
export function ImportErrors<Column extends string>(props: Props<Column>) {
  const { words: t, headings, rows, errors, errorCount } = props
  const { lists } = usePortalMessages()
  const [page, setPage] = useState(1)
  const pageCount = Math.ceil(errors.length / PER_PAGE)
  const shown = Math.min(page, pageCount)
  return (
    <>
      <div className={layout.row}>
        <Button size="small" onClick={() => void saveErrors(props)}>
          <DownloadIcon size={16} />
          {t.saveErrors}
        </Button>
      </div>
      {errorCount > errors.length && <p>{t.shownOnly(errors.length.toLocaleString())}</p>}
      <DataTable
        label={t.errors}
        columns={[
          {
            key: 'LINE',
            header: t.errorColumns.LINE,
            width: 90,
            align: 'center',
            render: (error) => rows[error.row - 1]?.line,
          },
          {
            key: 'field',
            header: t.errorColumns.field,
            width: 180,
            render: (error) => headings[error.field],
          },
          {
            key: 'VALUE',
            header: t.errorColumns.VALUE,
            width: 260,
            render: (error) => rows[error.row - 1]?.[error.field] ?? '',
          },
          { key: 'message', header: t.errorColumns.message, render: (error) => error.message },
        ]}
        rows={errors.slice((shown - 1) * PER_PAGE, shown * PER_PAGE)}
        getRowKey={(error) => `${error.row} ${error.field}`}
        state="ready"
        rowCount={Math.min(PER_PAGE, errors.length)}
        loadingLabel={t.reading}
        empty={t.noErrors}
        error={t.unreadable}
        retryLabel={lists.retry}
        onRetry={() => {}}
      />
      {pageCount > 1 && <Pager page={shown} pageCount={pageCount} onChange={setPage} labels={lists.pager} />}
    </>
  )
}

/** Saves the wrong cells for whoever mends the file. */
async function saveErrors<Column extends string>(props: Props<Column>): Promise<void> {
  const { words: t, headings, rows, errors } = props
  const { writeCsv } = await import('hucre/csv')
  const { LINE, field, VALUE, message } = t.errorColumns
  const lines = errors.map((error) => {
    const row = rows[error.row - 1]
    return [row?.line ?? error.row, headings[error.field], row?.[error.field] ?? '', error.message]
  })
  const csv = writeCsv([[LINE, field, VALUE, message], ...lines], { bom: true, escapeFormulae: true })
  saveContent(new Blob([csv], { type: 'text/csv' }), `${t.errorsName}.csv`)
}
