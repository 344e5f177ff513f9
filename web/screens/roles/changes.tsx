import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { listRoleChanges, ROLE_CHANGES_PER_PAGE } from '../../../contract/roles.ts'
import { query } from '../../api/query.ts'
import { useTellRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useRoleName } from './role-names.ts'

type Change = OutputOf<typeof listRoleChanges>['CHANGE_LIST'][number]

/** The record of changes: who changed what, when, from what to what. */
export function RoleChanges() {
  const { roles: t, lists } = usePortalMessages()
  const [page, setPage] = useState(1)
  const changes = useQuery({
    ...query(listRoleChanges, { PAGE: page, PER_PAGE: ROLE_CHANGES_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  const columns = useColumns()
  useTellRefusal(changes.error)
  const rows = changes.data?.CHANGE_LIST ?? []
  const pageCount = Math.ceil((changes.data?.TOTAL_COUNT ?? 0) / ROLE_CHANGES_PER_PAGE)
  return (
    <Card title={t.changes}>
      <DataTable
        label={t.changes}
        columns={columns}
        rows={rows}
        getRowKey={(row) => row.NO}
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
  const roleOf = ({ BEFORE, AFTER }: Change) => {
    const role = AFTER ?? BEFORE
    return role === null ? '' : nameOf(role)
  }
  return [
    { key: 'NO', header: t.columns.NO, render: (row) => row.NO, width: 72, align: 'center' },
    {
      key: 'CHANGE_DATETIME',
      header: t.columns.CHANGE_DATETIME,
      render: (row) => row.CHANGE_DATETIME,
      width: 172,
    },
    {
      key: 'USER',
      header: t.columns.USER,
      render: (row) => (row.USER_ID === '' ? row.NAME : `${row.NAME} (${row.USER_ID})`),
      width: 190,
    },
    { key: 'ROLE', header: t.columns.ROLE, render: roleOf, isRowHeader: true, width: 160 },
    { key: 'WHAT', header: t.columns.WHAT, render: (row) => differenceOf(row)[0], width: 160 },
    { key: 'BEFORE', header: t.columns.BEFORE, render: (row) => differenceOf(row)[1] },
    { key: 'AFTER', header: t.columns.AFTER, render: (row) => differenceOf(row)[2] },
  ]
}

/** What a change was, in words: what, before, after. */
function useDifference(): (change: Change) => [what: string, before: string, after: string] {
  const t = usePortalMessages().roles
  const functions = (list: readonly FunctionName[]) => list.map((name) => t.functions[name][0]).join(', ')
  return ({ BEFORE, AFTER }) => {
    if (BEFORE === null) return [t.created, t.none, AFTER === null ? t.none : names(AFTER)]
    if (AFTER === null) {
      return [t.removed, [names(BEFORE), functions(BEFORE.FUNCTIONS)].filter(Boolean).join(' · '), t.none]
    }
    const granted = AFTER.FUNCTIONS.filter((name) => !BEFORE.FUNCTIONS.includes(name))
    if (granted.length > 0) return [functions(granted), t.denied, t.allowed]
    const revoked = BEFORE.FUNCTIONS.filter((name) => !AFTER.FUNCTIONS.includes(name))
    if (revoked.length > 0) return [functions(revoked), t.allowed, t.denied]
    return [t.renamed, names(BEFORE), names(AFTER)]
  }
}

function names({ ROLE_NAME, ROLE_NAME_EN }: NonNullable<Change['AFTER']>): string {
  return `${ROLE_NAME} / ${ROLE_NAME_EN}`
}
