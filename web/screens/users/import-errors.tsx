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
  const { ERRORS, ERROR_COUNT } = result
  const pageCount = Math.ceil(ERRORS.length / PER_PAGE)
  const shown = Math.min(page, pageCount)
  return (
    <>
      {ERROR_COUNT > ERRORS.length && <p>{t.shownOnly(ERRORS.length.toLocaleString())}</p>}
      <DataTable
        label={t.errors}
        columns={[
          {
            key: 'LINE',
            header: t.errorColumns.LINE,
            width: 90,
            align: 'center',
            render: (error) => lines[error.ROW - 1],
          },
          {
            key: 'FIELD',
            header: t.errorColumns.FIELD,
            width: 180,
            render: (error) => t.columns[error.FIELD],
          },
          {
            key: 'VALUE',
            header: t.errorColumns.VALUE,
            width: 260,
            render: (error) => rows[error.ROW - 1]?.[error.FIELD] ?? '',
          },
          { key: 'MSG', header: t.errorColumns.MSG, render: (error) => error.MSG },
        ]}
        rows={ERRORS.slice((shown - 1) * PER_PAGE, shown * PER_PAGE)}
        getRowKey={(error) => `${error.ROW} ${error.FIELD}`}
        state="ready"
        rowCount={Math.min(PER_PAGE, ERRORS.length)}
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
