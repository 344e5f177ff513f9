import type { OutputOf } from '../../../contract/endpoint.ts'
import { REQUESTS_PER_PAGE, type listRequests } from '../../../contract/approvals.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DataTable, type DataColumn, type DataTableProps } from '../../ui/data-table.tsx'
import styles from './approvals.module.css'

/** A request that waits. */
export type RequestRow = OutputOf<typeof listRequests>['requests'][number]

type Props = Pick<DataTableProps<RequestRow>, 'rows' | 'state' | 'error' | 'onRetry'> & {
  /** requestId of each that is chosen. */
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  onOpen: (row: RequestRow) => void
}

/** The waiting requests, each with a box to choose it and one for the whole page. */
export function RequestTable({ chosen, onChoose, onOpen, ...rest }: Props) {
  const { approvals: t, lists } = usePortalMessages()
  const columns = useColumns(rest.rows, chosen, onChoose)
  return (
    <DataTable
      {...rest}
      label={t.list}
      columns={columns}
      getRowKey={(row) => row.requestId}
      rowCount={REQUESTS_PER_PAGE}
      loadingLabel={t.loading}
      empty={t.empty}
      retryLabel={lists.retry}
      onRowAction={onOpen}
      rowActionLabel={(row) => t.open(row.name)}
    />
  )
}

function useColumns(
  rows: readonly RequestRow[],
  chosen: ReadonlySet<string>,
  onChoose: (chosen: ReadonlySet<string>) => void,
): DataColumn<RequestRow>[] {
  const t = usePortalMessages().approvals
  const ids = rows.map(({ requestId }) => requestId)
  const count = ids.filter((id) => chosen.has(id)).length

  function toggle(id: string, isChosen: boolean): void {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    onChoose(next)
  }

  return [
    {
      key: 'select',
      header: t.select,
      headerContent: (
        <Checkbox
          label={t.selectAll}
          isLabelHidden
          value={count > 0 && count === ids.length}
          isMixed={count > 0 && count < ids.length}
          isDisabled={ids.length === 0}
          onChange={(isChosen) => onChoose(new Set(isChosen ? ids : []))}
        />
      ),
      render: ({ requestId, name }) => (
        <Checkbox
          label={t.selectOne(name)}
          isLabelHidden
          value={chosen.has(requestId)}
          onChange={(isChosen) => toggle(requestId, isChosen)}
        />
      ),
      width: 52,
      align: 'center',
    },
    {
      key: 'name',
      header: t.columns.name,
      isRowHeader: true,
      render: ({ name, refusedCount }) => (
        <span className={styles.name}>
          <span title={name}>{name}</span>
          {refusedCount > 0 && <Badge tone="warning">{t.refusedBefore(refusedCount)}</Badge>}
        </span>
      ),
    },
    { key: 'userId', header: t.columns.userId, render: (row) => row.userId, width: 150 },
    {
      key: 'affiliationName',
      header: t.columns.affiliationName,
      render: (row) => row.affiliationName,
      width: 130,
    },
    { key: 'position', header: t.columns.position, render: (row) => row.position, width: 84 },
    {
      key: 'phoneNumber',
      header: t.columns.phoneNumber,
      render: (row) => row.phoneNumber.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2-$3'),
      width: 142,
    },
    { key: 'email', header: t.columns.email, render: (row) => row.email },
    {
      key: 'requestedAt',
      header: t.columns.requestedAt,
      render: (row) => <span title={row.requestedAt}>{row.requestedAt.slice(0, 16)}</span>,
      width: 156,
    },
  ]
}
