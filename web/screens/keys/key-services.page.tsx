import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { createService, listServices, revokeService, rollService } from '../../../contract/keys.ts'
import { prefetch, query, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { MakeToken, type NewToken, RollToken, type Rollover } from './token-form.tsx'
import { TokenOnce } from './token-once.tsx'
import { isInForce, TokenState } from './token-state.tsx'
import { useTokenTexts } from './token-texts.ts'

type Service = OutputOf<typeof listServices>['services'][number]

const USUAL_ROWS = 5

const servicesQuery = query(listServices, {})

/** Asks for the services. */
export function load(): void {
  void prefetch(servicesQuery)
}

/** /key/services: the tokens of services that verify keys (design/keys#derived-keys, design/partners-and-programs#program-tokens). */
export default function KeyServices() {
  const { titles } = usePortalMessages()
  const texts = useTokenTexts()
  const t = texts.services
  const [asked, setAsked] = useState<'new' | Service>()
  const [token, setToken] = useState<string>()
  const found = useQuery(servicesQuery)
  const make = useCall(createService)
  const roll = useCall(rollService)
  const revoke = useCall(revokeService)
  useShowRefusal(found.error)
  const services = found.data?.services ?? []
  const isUnlimited = (row: Service) => isInForce(row) && row.expiresAt === ''

  async function show({ serviceToken }: { serviceToken: string }): Promise<void> {
    // The results hold the token. Only the dialog keeps it.
    make.reset()
    roll.reset()
    setAsked(undefined)
    setToken(serviceToken)
    await found.refetch()
  }

  async function end({ serviceId, serviceName }: Service): Promise<void> {
    const message = t.revokeText(serviceName)
    if (!(await dialogs.confirm({ title: t.revokeTitle, message, isDanger: true }))) return
    await revoke.mutateAsync({ serviceId }).catch(showRefusal)
    await found.refetch()
  }

  return (
    <Page
      title={titles.keyServices}
      actions={
        <Button variant="primary" onClick={() => setAsked('new')}>
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
          columns={useColumns({ roll: setAsked, end })}
          rows={services}
          getRowKey={(row) => row.serviceId}
          leastRows={USUAL_ROWS}
        />
      </div>
      {asked === 'new' && (
        <MakeToken
          title={t.makeTitle}
          nameLabel={t.name}
          nameTaken="SERVICE_NAME_TAKEN"
          submitLabel={t.make}
          act={async ({ name, validDays }: NewToken) =>
            show(await make.mutateAsync({ serviceName: name, validDays }))
          }
          onClose={() => setAsked(undefined)}
        />
      )}
      {typeof asked === 'object' && (
        <RollToken
          title={t.rollTitle(asked.serviceName)}
          submitLabel={texts.roll}
          act={async (values: Rollover) =>
            show(await roll.mutateAsync({ serviceId: asked.serviceId, ...values }))
          }
          onClose={() => setAsked(undefined)}
        />
      )}
      {token !== undefined && <TokenOnce title={t.title} token={token} onClose={() => setToken(undefined)} />}
    </Page>
  )
}

interface Acts {
  roll: (service: Service) => void
  end: (service: Service) => Promise<void>
}

function useColumns({ roll, end }: Acts): ListColumn<Service>[] {
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
  const acts = (row: Service) =>
    isInForce(row) && (
      <span className={layout.row}>
        <Button size="small" aria-label={t.rollTitle(row.serviceName)} onClick={() => roll(row)}>
          {texts.roll}
        </Button>
        <Button size="small" aria-label={t.revokeOf(row.serviceName)} onClick={() => void end(row)}>
          {t.revoke}
        </Button>
      </span>
    )
  return [
    text('serviceName', { isRowHeader: true }),
    column('state', state, { width: 240 }),
    column('expiresAt', (row) => minuteOf(row.expiresAt) || t.unlimited, { width: 150 }),
    column('createdAt', (row) => minuteOf(row.createdAt), { width: 150 }),
    text('createdBy', { width: 130 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt) || texts.never, { width: 150 }),
    column('actions', acts, { width: 170 }),
  ]
}
