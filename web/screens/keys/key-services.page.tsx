import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { listServices, revokeService } from '../../../contract/keys.ts'
import { prefetch, query, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { CreateService } from './create-service.tsx'
import layout from '../../ui/layout.module.css'

type Service = OutputOf<typeof listServices>['services'][number]

const USUAL_ROWS = 5

const servicesQuery = query(listServices, {})

/** Asks for the services. */
export function load(): void {
  void prefetch(servicesQuery)
}

/** /key/services: the tokens of services that verify keys (ADR 023). */
export default function KeyServices() {
  const { keys, lists, titles } = usePortalMessages()
  const t = keys.services
  const [isCreating, setCreating] = useState(false)
  const found = useQuery(servicesQuery)
  useShowRefusal(found.error)
  const revoke = useCall(revokeService)
  const rows = found.data?.services ?? []

  async function end({ serviceId, serviceName }: Service): Promise<void> {
    const message = t.revokeText(serviceName)
    if (!(await dialogs.confirm({ title: t.revokeTitle, message, isDanger: true }))) return
    try {
      await revoke.mutateAsync({ serviceId })
    } catch (error) {
      await showRefusal(error)
    }
    await found.refetch()
  }

  const columns: DataColumn<Service>[] = [
    {
      key: 'serviceName',
      header: t.columns.serviceName,
      render: (row) => row.serviceName,
      isRowHeader: true,
    },
    {
      key: 'state',
      header: t.columns.state,
      render: (row) =>
        row.revokedAt === '' ? (
          <Badge tone="positive">{t.inForce}</Badge>
        ) : (
          <span title={row.revokedAt}>
            <Badge tone="neutral">{t.revoked}</Badge>
          </span>
        ),
      width: 130,
      align: 'center',
    },
    {
      key: 'MADE',
      header: t.columns.createdAt,
      render: (row) => row.createdAt.slice(0, 16),
      width: 180,
    },
    { key: 'BY', header: t.columns.createdBy, render: (row) => row.createdBy, width: 180 },
    {
      key: 'used',
      header: t.columns.lastUsedAt,
      render: (row) => row.lastUsedAt.slice(0, 16) || t.never,
      width: 180,
    },
    {
      key: 'REVOKE',
      header: t.columns.REVOKE,
      render: (row) =>
        row.revokedAt === '' && (
          <Button size="small" aria-label={t.revokeOf(row.serviceName)} onClick={() => void end(row)}>
            {t.revoke}
          </Button>
        ),
      width: 100,
      align: 'center',
    },
  ]

  return (
    <Page
      title={titles.keyServices}
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      }
    >
      <div className={layout.stack}>
        <p>{t.lead}</p>
        <DataTable
          label={t.list}
          columns={columns}
          rows={rows}
          getRowKey={(row) => row.serviceId}
          state={found.isFetching ? 'loading' : found.isError ? 'error' : 'ready'}
          rowCount={Math.max(rows.length, USUAL_ROWS)}
          loadingLabel={t.loading}
          empty={t.empty}
          error={t.failed}
          retryLabel={lists.retry}
          onRetry={() => void found.refetch()}
        />
      </div>
      {isCreating && <CreateService onClose={() => setCreating(false)} />}
    </Page>
  )
}
