import type { OutputOf } from '../../../contract/endpoint.ts'
import { REQUESTS_PER_PAGE, type listRequests } from '../../../contract/approvals.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DataTable, type DataColumn, type DataTableProps } from '../../ui/data-table.tsx'
import styles from './approvals.module.css'

/** A request that waits. */
export type RequestRow = OutputOf<typeof listRequests>['REQUEST_LIST'][number]

type Props = Pick<DataTableProps<RequestRow>, 'rows' | 'state' | 'error' | 'onRetry'> & {
  /** REQUEST_ID of each that is chosen. */
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
      getRowKey={(row) => row.REQUEST_ID}
      rowCount={REQUESTS_PER_PAGE}
      loadingLabel={t.loading}
      empty={t.empty}
      retryLabel={lists.retry}
      onRowAction={onOpen}
      rowActionLabel={(row) => t.open(row.NAME)}
    />
  )
}

function useColumns(
  rows: readonly RequestRow[],
  chosen: ReadonlySet<string>,
  onChoose: (chosen: ReadonlySet<string>) => void,
): DataColumn<RequestRow>[] {
  const t = usePortalMessages().approvals
  const ids = rows.map(({ REQUEST_ID }) => REQUEST_ID)
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
      render: ({ REQUEST_ID, NAME }) => (
        <Checkbox
          label={t.selectOne(NAME)}
          isLabelHidden
          value={chosen.has(REQUEST_ID)}
          onChange={(isChosen) => toggle(REQUEST_ID, isChosen)}
        />
      ),
      width: 52,
      align: 'center',
    },
    {
      key: 'NAME',
      header: t.columns.NAME,
      isRowHeader: true,
      render: ({ NAME, REFUSED_COUNT }) => (
        <span className={styles.name}>
          <span title={NAME}>{NAME}</span>
          {REFUSED_COUNT > 0 && <Badge tone="warning">{t.refusedBefore(REFUSED_COUNT)}</Badge>}
        </span>
      ),
    },
    { key: 'USER_ID', header: t.columns.USER_ID, render: (row) => row.USER_ID, width: 150 },
    { key: 'BELONGTO', header: t.columns.BELONGTO, render: (row) => row.BELONGTO, width: 130 },
    { key: 'RANK', header: t.columns.RANK, render: (row) => row.RANK, width: 84 },
    {
      key: 'PHONE_NUMBER',
      header: t.columns.PHONE_NUMBER,
      render: (row) => row.PHONE_NUMBER.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2-$3'),
      width: 142,
    },
    { key: 'E_MAIL', header: t.columns.E_MAIL, render: (row) => row.E_MAIL },
    {
      key: 'REQUEST_DATETIME',
      header: t.columns.REQUEST_DATETIME,
      render: (row) => <span title={row.REQUEST_DATETIME}>{row.REQUEST_DATETIME.slice(0, 16)}</span>,
      width: 156,
    },
  ]
}
