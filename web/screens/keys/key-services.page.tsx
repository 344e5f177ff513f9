import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { createService, listServices, revokeService, rollService } from '../../../contract/keys.ts'
import { call } from '../../api/client.ts'
import { prefetch, query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { isInForce, TokenState, useTokens } from './tokens.tsx'
import { useTokenTexts } from './token-texts.ts'

/** A service with its token. */
type Service = OutputOf<typeof listServices>['services'][number]

/** Minimum height of the table, in rows. */
const USUAL_ROWS = 5

/** Query for the services. */
const servicesQuery = query(listServices, {})

/** Prefetches the services. */
export function load(): void {
  void prefetch(servicesQuery)
}

/**
 * The page /key/services: the tokens of services that verify keys, to create (`createService`), rotate (`rollService`)
 * and revoke (`revokeService`) (design/keys#derived-keys, design/partners-and-programs#program-tokens). Shows a hint if
 * a valid token never expires, and a new token once.
 */
export default function KeyServices() {
  const { titles } = usePortalMessages()
  const t = useTokenTexts().services
  const found = useQuery(servicesQuery)
  useShowRefusal(found.error)
  const services = found.data?.services ?? []
  const tokens = useTokens<Service>({
    texts: { ...t, end: t.revoke, endOf: t.revokeOf, endTitle: t.revokeTitle, endText: t.revokeText },
    nameOf: ({ serviceName }) => serviceName,
    nameTaken: 'SERVICE_NAME_TAKEN',
    make: async ({ name, validDays }) =>
      (await call(createService, { serviceName: name, validDays })).serviceToken,
    roll: async ({ serviceId }, values) => (await call(rollService, { serviceId, ...values })).serviceToken,
    end: ({ serviceId }) => call(revokeService, { serviceId }),
    refetch: found.refetch,
  })
  const isUnlimited = (row: Service) => isInForce(row) && row.expiresAt === ''

  return (
    <Page
      title={titles.keyServices}
      actions={
        <Button variant="primary" onClick={tokens.openMake}>
          {t.make}
        </Button>
      }
    >
      <div className={layout.stack}>
        <p>{t.lead}</p>
        {services.some(isUnlimited) && <p className={layout.warning}>{t.unlimitedHint}</p>}
        <QueryTable
          query={found}
          texts={t}
          columns={useColumns(tokens.actions)}
          rows={services}
          getRowKey={(row) => row.serviceId}
          leastRows={USUAL_ROWS}
        />
      </div>
      {tokens.dialogs}
    </Page>
  )
}

/**
 * Returns the columns of the services.
 * @param actions renders the buttons of a row
 */
function useColumns(actions: (row: Service) => ReactNode): ListColumn<Service>[] {
  const texts = useTokenTexts()
  const t = texts.services
  const { text, column } = columnsOf<Service, keyof typeof t.columns>(t.columns)
  const state = (row: Service) =>
    row.revokedAt === '' ? (
      <TokenState {...row} />
    ) : (
      <span title={row.revokedAt}>
        <Badge tone="neutral">{t.revoked}</Badge>
      </span>
    )
  return [
    text('serviceName', { isRowHeader: true }),
    column('state', state, { width: 240 }),
    column('expiresAt', (row) => minuteOf(row.expiresAt) || t.unlimited, { width: 150 }),
    column('createdAt', (row) => minuteOf(row.createdAt), { width: 150 }),
    text('createdBy', { width: 130 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt) || texts.never, { width: 150 }),
    column('actions', actions, { width: 170 }),
  ]
}
