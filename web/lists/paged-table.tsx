import { useState } from 'react'
import { usePortalMessages } from '../language.tsx'
import { DataTable, type DataTableProps } from '../ui/data-table.tsx'
import { Pager } from '../ui/pager.tsx'

interface Props<Row> extends Pick<DataTableProps<Row>, 'label' | 'columns' | 'rows' | 'getRowKey' | 'empty'> {
  perPage: number
}

/** Shows a table of rows that are all loaded, `perPage` at a time, with a pager if they need several pages. */
export function PagedTable<Row>({ perPage, rows, ...table }: Props<Row>) {
  const { pager } = usePortalMessages().lists
  const [page, setPage] = useState(1)
  const pageCount = Math.ceil(rows.length / perPage)
  // There may be fewer rows by now.
  const shown = Math.min(page, pageCount)
  return (
    <>
      <DataTable
        {...table}
        rows={rows.slice((shown - 1) * perPage, shown * perPage)}
        state="given"
        rowCount={Math.min(perPage, rows.length)}
      />
      {pageCount > 1 && <Pager page={shown} pageCount={pageCount} onChange={setPage} labels={pager} />}
    </>
  )
}
