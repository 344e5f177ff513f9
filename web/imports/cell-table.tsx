import { useState } from 'react'
import { usePortalMessages } from '../language.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Pager } from '../ui/pager.tsx'
import type { FileRow } from './read-file.ts'
import type { ImportWords } from './words.ts'

const PER_PAGE = 10

/** What is said of a cell; rows count from 1. */
export interface SaidOfCell<Column extends string> {
  row: number
  field: Column
  message: string
}

/** Cells of a file, and what is said of them. */
export interface CellTableProps<Column extends string> {
  words: ImportWords
  label: string
  headings: Readonly<Record<Column, string>>
  rows: readonly FileRow<Column>[]
  cells: readonly SaidOfCell<Column>[]
}

/** Cells of a file, a page at a time: the line as a spreadsheet counts, the column, what stands there, what is said. */
export function CellTable<Column extends string>(props: CellTableProps<Column>) {
  const { words: t, label, headings, rows, cells } = props
  const { lists } = usePortalMessages()
  const [page, setPage] = useState(1)
  const pageCount = Math.ceil(cells.length / PER_PAGE)
  const shown = Math.min(page, pageCount)
  return (
    <>
      <DataTable
        label={label}
        columns={[
          {
            key: 'LINE',
            header: t.errorColumns.LINE,
            width: 90,
            align: 'center',
            render: ({ row }) => rows[row - 1]?.line,
          },
          { key: 'field', header: t.errorColumns.field, width: 180, render: ({ field }) => headings[field] },
          {
            key: 'VALUE',
            header: t.errorColumns.VALUE,
            width: 260,
            render: ({ row, field }) => rows[row - 1]?.[field] ?? '',
          },
          { key: 'message', header: t.errorColumns.message, render: ({ message }) => message },
        ]}
        rows={cells.slice((shown - 1) * PER_PAGE, shown * PER_PAGE)}
        getRowKey={({ row, field }) => `${row} ${field}`}
        state="ready"
        rowCount={Math.min(PER_PAGE, cells.length)}
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
