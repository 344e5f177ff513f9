import type { OutputOf } from '../../../contract/endpoint.ts'
import { USERS_PER_PAGE, type listUsers } from '../../../contract/users.ts'
import { usePortalMessages } from '../../language.tsx'
import { DataTable, type DataTableProps } from '../../ui/data-table.tsx'

/** A row of the user list. */
export type UserRow = OutputOf<typeof listUsers>['users'][number]

type Props = Pick<
  DataTableProps<UserRow>,
  'columns' | 'rows' | 'state' | 'error' | 'onRetry' | 'sort' | 'onSort'
> & {
  onOpen: (row: UserRow) => void
}

/** The result table of the user search (rules/users#user-search). */
export function UserTable({ onOpen, ...rest }: Props) {
  const { users: t, lists } = usePortalMessages()
  return (
    <DataTable
      {...rest}
      label={t.search.results}
      getRowKey={(row) => row.userId}
      rowCount={USERS_PER_PAGE}
      loadingLabel={t.search.loading}
      empty={t.search.empty}
      retryLabel={lists.retry}
      onRowAction={onOpen}
      rowActionLabel={(row) => t.search.open(row.name)}
    />
  )
}
