import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { listServices, revokeService } from '../../../contract/keys.ts'
import { prefetch, query, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
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
  const { keys, frame } = usePortalMessages()
  const t = keys.services
  const [isCreating, setCreating] = useState(false)
  const found = useQuery(servicesQuery)
  useShowRefusal(found.error)
  const revoke = useCall(revokeService)

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

  const { text, column } = columnsOf<Service, keyof typeof t.columns>(t.columns)
  const state = ({ revokedAt }: Service) =>
    revokedAt === '' ? (
      <Badge tone="positive">{t.inForce}</Badge>
    ) : (
      <span title={revokedAt}>
        <Badge tone="neutral">{t.revoked}</Badge>
      </span>
    )
  const revokeButton = (row: Service) =>
    row.revokedAt === '' && (
      <Button size="small" aria-label={t.revokeOf(row.serviceName)} onClick={() => void end(row)}>
        {t.revoke}
      </Button>
    )

  return (
    <Page
      title={frame.titles.keyServices}
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      }
    >
      <div className={layout.stack}>
        <p>{t.lead}</p>
        <QueryTable
          query={found}
          texts={{ ...t, results: t.list }}
          columns={[
            text('serviceName', { isRowHeader: true }),
            column('state', state, { width: 130, align: 'center' }),
            column('createdAt', (row) => minuteOf(row.createdAt), { width: 180 }),
            text('createdBy', { width: 180 }),
            column('lastUsedAt', (row) => minuteOf(row.lastUsedAt) || t.never, { width: 180 }),
            column('REVOKE', revokeButton, { width: 100, align: 'center' }),
          ]}
          rows={found.data?.services ?? []}
          getRowKey={(row) => row.serviceId}
          leastRows={USUAL_ROWS}
        />
      </div>
      {isCreating && <CreateService onClose={() => setCreating(false)} />}
    </Page>
  )
}
