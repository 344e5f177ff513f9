import { useState } from 'react'
import { usePortalMessages } from '../../language.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Pager } from '../../ui/pager.tsx'
import type { CheckedFile } from './use-import.ts'

const PER_PAGE = 10

/** Every wrong cell of a file: its line as a spreadsheet counts, its field, what stands there, what is wrong. */
export function ImportErrors({ checked: { result, rows, lines } }: { checked: CheckedFile }) {
  const { users, lists } = usePortalMessages()
  const t = users.import
  const [page, setPage] = useState(1)
  const { errors, errorCount } = result
  const pageCount = Math.ceil(errors.length / PER_PAGE)
  const shown = Math.min(page, pageCount)
  return (
    <>
      {errorCount > errors.length && <p>{t.shownOnly(errors.length.toLocaleString())}</p>}
      <DataTable
        label={t.errors}
        columns={[
          {
            key: 'LINE',
            header: t.errorColumns.LINE,
            width: 90,
            align: 'center',
            render: (error) => lines[error.row - 1],
          },
          {
            key: 'field',
            header: t.errorColumns.field,
            width: 180,
            render: (error) => t.columns[error.field],
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
