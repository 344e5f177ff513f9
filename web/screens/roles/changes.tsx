import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { listRoleChanges, ROLE_CHANGES_PER_PAGE } from '../../../contract/roles.ts'
import { query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useRoleName } from './role-names.ts'

type Change = OutputOf<typeof listRoleChanges>['changes'][number]

/** One page of the record of changes. */
export const changesQuery = (page: number) => query(listRoleChanges, { page, perPage: ROLE_CHANGES_PER_PAGE })

/** The record of changes: who changed what, when, from what to what. */
export function RoleChanges() {
  const { roles: t, lists } = usePortalMessages()
  const [page, setPage] = useState(1)
  const changes = useQuery({ ...changesQuery(page), placeholderData: keepPreviousData })
  const columns = useColumns()
  useShowRefusal(changes.error)
  const rows = changes.data?.changes ?? []
  const pageCount = Math.ceil((changes.data?.totalCount ?? 0) / ROLE_CHANGES_PER_PAGE)
  return (
    <Card title={t.changes}>
      <DataTable
        label={t.changes}
        columns={columns}
        rows={rows}
        getRowKey={(row) => row.rowNumber}
        state={changes.isFetching ? 'loading' : changes.isError ? 'error' : 'ready'}
        rowCount={pageCount > 1 ? ROLE_CHANGES_PER_PAGE : Math.max(rows.length, 3)}
        loadingLabel={t.changesLoading}
        empty={t.changesEmpty}
        error={t.changesFailed}
        retryLabel={lists.retry}
        onRetry={() => void changes.refetch()}
      />
      {pageCount > 1 && <Pager page={page} pageCount={pageCount} onChange={setPage} labels={lists.pager} />}
    </Card>
  )
}

function useColumns(): DataColumn<Change>[] {
  const t = usePortalMessages().roles
  const nameOf = useRoleName()
  const differenceOf = useDifference()
  const roleOf = ({ before, after }: Change) => {
    const role = after ?? before
    return role === null ? '' : nameOf(role)
  }
  return [
    {
      key: 'rowNumber',
      header: t.columns.rowNumber,
      render: (row) => row.rowNumber,
      width: 72,
      align: 'center',
    },
    {
      key: 'changedAt',
      header: t.columns.changedAt,
      render: (row) => row.changedAt,
      width: 172,
    },
    {
      key: 'USER',
      header: t.columns.USER,
      render: (row) => (row.userId === '' ? row.name : `${row.name} (${row.userId})`),
      width: 190,
    },
    { key: 'ROLE', header: t.columns.ROLE, render: roleOf, isRowHeader: true, width: 160 },
    { key: 'WHAT', header: t.columns.WHAT, render: (row) => differenceOf(row)[0], width: 160 },
    { key: 'before', header: t.columns.before, render: (row) => differenceOf(row)[1] },
    { key: 'after', header: t.columns.after, render: (row) => differenceOf(row)[2] },
  ]
}

/** What a change was, in words: what, before, after. */
function useDifference(): (change: Change) => [what: string, before: string, after: string] {
  const t = usePortalMessages().roles
  const functions = (list: readonly FunctionName[]) => list.map((name) => t.functions[name][0]).join(', ')
  return ({ before, after }) => {
    if (before === null) return [t.created, t.none, after === null ? t.none : names(after)]
    if (after === null) {
      return [t.removed, [names(before), functions(before.functions)].filter(Boolean).join(' · '), t.none]
    }
    const granted = after.functions.filter((name) => !before.functions.includes(name))
    if (granted.length > 0) return [functions(granted), t.denied, t.allowed]
    const revoked = before.functions.filter((name) => !after.functions.includes(name))
    if (revoked.length > 0) return [functions(revoked), t.allowed, t.denied]
    return [t.renamed, names(before), names(after)]
  }
}

function names({ roleName, roleNameEn }: NonNullable<Change['after']>): string {
  return `${roleName} / ${roleNameEn}`
}
