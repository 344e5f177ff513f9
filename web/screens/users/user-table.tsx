import { CODE_GROUP } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { APPROVAL, USERS_PER_PAGE, type listUsers } from '../../../contract/users.ts'
import { useCodes } from '../../forms/choices.ts'
import { useMessages } from '../../language.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable, type DataColumn, type DataTableProps } from '../../ui/DataTable.tsx'

/** A row of the user list. */
export type UserRow = OutputOf<typeof listUsers>['DATA'][number]

type Props = Pick<DataTableProps<UserRow>, 'rows' | 'state' | 'error' | 'onRetry'> & {
  onOpen: (row: UserRow) => void
  compact: boolean
}

/** The result table of the user search (spec §2); the compact one hides ID and registration date. */
export function UserTable({ compact, onOpen, ...rest }: Props) {
  const { users: t, lists } = useMessages()
  return (
    <DataTable
      {...rest}
      label={t.search.results}
      columns={useColumns(compact)}
      getRowKey={(row) => row.USER_ID}
      rowCount={USERS_PER_PAGE}
      loadingLabel={t.search.loading}
      empty={t.search.empty}
      retryLabel={lists.retry}
      onRowAction={onOpen}
      rowActionLabel={(row) => t.search.open(row.NAME)}
    />
  )
}

function useColumns(compact: boolean): DataColumn<UserRow>[] {
  const headers = useMessages().users.search.columns
  const approvals = useCodes(CODE_GROUP.approval, true)
  const approved = approvals.options.find(({ value }) => value === APPROVAL.approved)?.label

  const all: DataColumn<UserRow>[] = [
    { key: 'NO', header: headers.NO, render: (row) => row.NO, width: compact ? 64 : 84, align: 'center' },
    { key: 'USER_ID', header: headers.USER_ID, render: (row) => row.USER_ID, width: 190 },
    {
      key: 'NAME',
      header: headers.NAME,
      render: (row) => row.NAME,
      isRowHeader: true,
      ...(!compact && { width: 170 }),
    },
    { key: 'BELONGTO', header: headers.BELONGTO, render: (row) => row.BELONGTO },
    {
      key: 'PHONE_NUMBER',
      header: headers.PHONE_NUMBER,
      render: (row) => hyphenated(row.PHONE_NUMBER),
      width: compact ? 136 : 160,
    },
    {
      key: 'REGSTER_DATETIME',
      header: headers.REGSTER_DATETIME,
      // 'YYYY-MM-DD HH:mm:ss' (decisions §2): the date, with the moment behind it.
      render: (row) => <span title={row.REGSTER_DATETIME}>{row.REGSTER_DATETIME.slice(0, 10)}</span>,
      width: 160,
    },
    {
      key: 'APPROVA',
      header: headers.APPROVA,
      render: (row) => <Badge tone={row.APPROVA === approved ? 'positive' : 'neutral'}>{row.APPROVA}</Badge>,
      width: compact ? 146 : 160,
      align: 'center',
    },
  ]
  return compact ? all.filter(({ key }) => key !== 'USER_ID' && key !== 'REGSTER_DATETIME') : all
}

/** 01012345678 as people write it; anything else as it is. */
function hyphenated(phone: string): string {
  return phone.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2-$3')
}
