import { PagedTable } from '../lists/paged-table.tsx'
import type { FileRow } from './read-file.ts'
import type { ImportWords } from './words.ts'

const PER_PAGE = 10

/** A message about a cell; rows count from 1. */
export interface SaidOfCell<Column extends string> {
  row: number
  field: Column
  message: string
}

/** The cells of a file, and the messages about them. */
export interface CellTableProps<Column extends string> {
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
        { key: 'message', header: t.errorColumns.message, render: ({ message }) => message },
      ]}
      rows={cells}
      getRowKey={({ row, field }) => `${row} ${field}`}
      perPage={PER_PAGE}
      empty={t.noErrors}
    />
  )
}
