import { useState } from 'react'
import type { ImportColumn } from '../../../contract/users.ts'
import { saveContent } from '../../api/save-content.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { Pager } from '../../ui/pager.tsx'
import { importHeadings } from './import-columns.ts'
import { type CheckedFile, useImportTexts } from './use-import.ts'
import layout from '../../ui/layout.module.css'

const PER_PAGE = 10

/** Every wrong cell of a file: its line as a spreadsheet counts, its field, what stands there, what is wrong. */
export function ImportErrors({ checked }: { checked: CheckedFile }) {
  const { result, rows } = checked
  const { users, lists } = usePortalMessages()
  const t = useImportTexts(checked.mode)
  const headings = importHeadings(users)
  const [page, setPage] = useState(1)
  const { errors, errorCount } = result
  const pageCount = Math.ceil(errors.length / PER_PAGE)
  const shown = Math.min(page, pageCount)
  return (
    <>
      <div className={layout.row}>
        <Button size="small" onClick={() => void saveErrors(t, headings, checked)}>
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
async function saveErrors(
  t: ReturnType<typeof useImportTexts>,
  headings: Record<ImportColumn, string>,
  { result, rows }: CheckedFile,
): Promise<void> {
  const { writeCsv } = await import('hucre/csv')
  const { LINE, field, VALUE, message } = t.errorColumns
  const lines = result.errors.map((error) => {
    const row = rows[error.row - 1]
    return [row?.line ?? error.row, headings[error.field], row?.[error.field] ?? '', error.message]
  })
  const csv = writeCsv([[LINE, field, VALUE, message], ...lines], { bom: true, escapeFormulae: true })
  saveContent(new Blob([csv], { type: 'text/csv' }), `${t.errorsName}.csv`)
}
