import { DataTable, type DataTableProps } from '../ui/data-table.tsx'
import layout from '../ui/layout.module.css'

interface Props<Row> extends Pick<DataTableProps<Row>, 'columns' | 'rows' | 'getRowKey'> {
  words: { preview: string; noPreview: string; shownOf: (shown: string, total: string) => string }
  /** How many there are in all. */
  total: number
}

/** The first of what a file would do, and how many of how many they are. */
export function PreviewTable<Row>({ words: t, total, ...table }: Props<Row>) {
  const { length } = table.rows
  return (
    <>
      <DataTable {...table} label={t.preview} state="given" rowCount={length} empty={t.noPreview} />
      {total > length && (
        <p className={layout.quiet}>{t.shownOf(length.toLocaleString(), total.toLocaleString())}</p>
      )}
    </>
  )
}
