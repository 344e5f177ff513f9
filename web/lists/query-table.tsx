import type { UseQueryResult } from '@tanstack/react-query'
import { usePortalMessages } from '../language.tsx'
import { DataTable, type DataTableProps } from '../ui/data-table.tsx'

interface Props<Row> extends Pick<DataTableProps<Row>, 'columns' | 'rows' | 'getRowKey'> {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
  /** Texts of the list's states. */
  texts: { results: string; loading: string; empty: string; failed: string }
  /** Minimum height, in rows. */
  leastRows: number
}

/**
 * Shows a table of all rows of a query, without a pager, with the texts of its states. A failed query has a retry
 * button.
 */
export function QueryTable<Row>({ query, texts, leastRows, ...table }: Props<Row>) {
  return (
    <DataTable
      {...table}
      label={texts.results}
      state={query.isFetching ? 'loading' : query.isError ? 'error' : 'ready'}
      rowCount={Math.max(table.rows.length, leastRows)}
      loadingLabel={texts.loading}
      empty={texts.empty}
      error={texts.failed}
      retryLabel={usePortalMessages().lists.retry}
      onRetry={() => void query.refetch()}
    />
  )
}
