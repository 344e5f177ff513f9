import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { deleteWebhook, listWebhooks } from '../../../contract/events.ts'
import { call } from '../../api/client.ts'
import { prefetch, query } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { useAuditTexts } from '../audit/audit-texts.ts'
import { TokenOnce } from '../keys/token-once.tsx'
import { useTokenTexts } from '../keys/token-texts.ts'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { eventNameOf, RollDialog, WebhookDialog } from './webhook-dialogs.tsx'
import { useWebhookTexts } from './webhook-texts.ts'

/** A webhook as the list shows it. */
export type Webhook = OutputOf<typeof listWebhooks>['webhooks'][number]

/** Minimum height of the table, in rows. */
const USUAL_ROWS = 3

/** Badge tones of the states of a webhook. */
const TONES = { live: 'positive', failing: 'warning', off: 'neutral', stopped: 'danger' } as const

/** Query for the webhooks. */
const webhooksQuery = query(listWebhooks, {})

/** Prefetches the webhooks. */
export function load(): void {
  void prefetch(webhooksQuery)
}

/** An open dialog, and its webhook; null for a new one. */
type Open = { dialog: 'form'; row: Webhook | null } | { dialog: 'roll' | 'deliveries'; row: Webhook }

/**
 * The page /integration/webhooks (rules/events#webhooks): the webhooks with their states and numbers of deliveries, to
 * register and edit, to rotate their secrets, to see their deliveries, and to delete after a question
 * (`deleteWebhook`). Shows a new secret once.
 */
export default function Webhooks() {
  const { titles } = usePortalMessages()
  const t = useWebhookTexts()
  const { once } = useTokenTexts()
  const found = useQuery(webhooksQuery)
  useShowRefusal(found.error)
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const close = () => setOpen(undefined)

  /** Closes the dialog, shows a new secret, and reads the list again. */
  async function finish(newSecret?: string): Promise<void> {
    close()
    setSecret(newSecret)
    await found.refetch()
  }

  /** Deletes a webhook after a question, and reads the list again. Shows a refusal in an alert. */
  async function remove({ webhookId, webhookName }: Webhook): Promise<void> {
    const title = t.removeOf(webhookName)
    if (!(await dialogs.confirm({ title, message: t.removeText(webhookName), isDanger: true }))) return
    await call(deleteWebhook, { webhookId }).catch(showRefusal)
    await found.refetch()
  }

  return (
    <Page
      title={titles.webhooks}
      actions={
        <Button variant="primary" onClick={() => setOpen({ dialog: 'form', row: null })}>
          {t.create}
        </Button>
      }
    >
      <div className={layout.stack}>
        <p>{t.lead}</p>
        <QueryTable
          query={found}
          texts={t}
          columns={useColumns(setOpen, (row) => void remove(row))}
          rows={found.data?.webhooks ?? []}
          getRowKey={(row) => row.webhookId}
          leastRows={USUAL_ROWS}
        />
      </div>
      {open?.dialog === 'form' && <WebhookDialog row={open.row} onDone={finish} onClose={close} />}
      {open?.dialog === 'roll' && <RollDialog row={open.row} onDone={finish} onClose={close} />}
      {open?.dialog === 'deliveries' && (
        <DeliveriesDialog row={open.row} onChanged={() => void found.refetch()} onClose={close} />
      )}
      {secret !== undefined && (
        <TokenOnce
          title={t.secretTitle}
          lead={once}
          label={t.secret}
          token={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  )
}

/** Returns the columns of the webhooks. Their buttons open a dialog or delete a webhook. */
function useColumns(open: (open: Open) => void, remove: (row: Webhook) => void): ListColumn<Webhook>[] {
  const t = useWebhookTexts()
  const audit = useAuditTexts()
  const { text, column } = columnsOf<Webhook, keyof typeof t.columns>(t.columns)
  const name = (row: Webhook) => (
    <>
      {row.webhookName}
      <div className={layout.hint}>{row.url}</div>
    </>
  )
  const state = (row: Webhook) => (
    <span className={layout.row}>
      <Badge tone={TONES[row.state]}>{t.states[row.state]}</Badge>
      {row.failingSince !== '' && <span className={layout.hint}>{t.since(minuteOf(row.failingSince))}</span>}
      {row.previousUntil !== '' && (
        <span className={layout.hint}>{t.previousUntil(minuteOf(row.previousUntil))}</span>
      )}
    </span>
  )
  const kinds = ({ eventKinds }: Webhook) =>
    eventKinds.length === 0 ? t.allKinds : eventKinds.map((kind) => eventNameOf(audit, kind)).join(', ')
  const actions = (row: Webhook) => (
    <span className={layout.row}>
      <Button
        size="small"
        aria-label={t.deliveries.openOf(row.webhookName)}
        onClick={() => open({ dialog: 'deliveries', row })}
      >
        {t.deliveries.open}
      </Button>
      <Button
        size="small"
        aria-label={t.editOf(row.webhookName)}
        onClick={() => open({ dialog: 'form', row })}
      >
        {t.edit}
      </Button>
      <Button
        size="small"
        aria-label={t.rollOf(row.webhookName)}
        onClick={() => open({ dialog: 'roll', row })}
      >
        {t.roll}
      </Button>
      <Button size="small" aria-label={t.removeOf(row.webhookName)} onClick={() => remove(row)}>
        {t.remove}
      </Button>
    </span>
  )
  return [
    column('webhookName', name, { isRowHeader: true }),
    column('state', state, { width: 240 }),
    column('eventKinds', kinds, { width: 200 }),
    text('waitingCount', { width: 90, align: 'right' }),
    text('deadCount', { width: 90, align: 'right' }),
    text('createdBy', { width: 120 }),
    column('actions', actions, { width: 340 }),
  ]
}
