import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import {
  DELIVERIES_PER_PAGE,
  DELIVERY_STATES,
  type DeliveryState,
  listDeliveries,
  resendDeliveries,
} from '../../../contract/events.ts'
import { ALL } from '../../../contract/fields.ts'
import { call } from '../../api/client.ts'
import { query } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { fixedChoices, withAll } from '../../forms/choices.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { Pager } from '../../ui/pager.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useAuditTexts } from '../audit/audit-texts.ts'
import { useWebhookTexts } from './webhook-texts.ts'
import type { Webhook } from './webhooks.page.tsx'

/** A delivery of an event to a webhook. */
type Delivery = OutputOf<typeof listDeliveries>['deliveries'][number]

/** Badge tones of the states of a delivery. */
const TONES = { waiting: 'warning', delivered: 'positive', dead: 'danger' } as const

/** The webhook and the results of the dialog. */
interface Props {
  row: Webhook
  /** Called after deliveries became due again. */
  onChanged: () => void
  onClose: () => void
}

/**
 * Shows the deliveries of events to a webhook with their last responses, filtered by state and paged
 * (rules/events#deliveries). Buttons make one of them, or all dead ones, due again (`resendDeliveries`). A refusal is
 * shown in an alert.
 */
export function DeliveriesDialog({ row: { webhookId, webhookName }, onChanged, onClose }: Props) {
  const t = useWebhookTexts().deliveries
  const { forms, lists } = usePortalMessages()
  const [state, setState] = useState<DeliveryState | typeof ALL>(ALL)
  const [page, setPage] = useState(1)
  const found = useQuery(query(listDeliveries, { webhookId, state, page }))
  useShowRefusal(found.error)

  /** Makes a delivery due again; all dead ones for ''. */
  async function resend(eventId: string): Promise<void> {
    const answer = await call(resendDeliveries, { webhookId, eventId }).catch(showRefusal)
    if (answer === undefined) return
    showToast(t.resent(String(answer.resentCount)))
    onChanged()
    await found.refetch()
  }

  return (
    <Dialog
      title={t.openOf(webhookName)}
      width="window"
      closeLabel={forms.close}
      onClose={onClose}
      footer={<Button onClick={() => void resend('')}>{t.resendDead}</Button>}
    >
      <div className={layout.stack}>
        <ChoiceFilter
          label={t.state}
          choices={withAll(
            fixedChoices(DELIVERY_STATES.map((value) => ({ value, label: t.states[value] }))),
            lists.all,
          )}
          value={state}
          onChange={(value) => {
            setState(value as typeof state)
            setPage(1)
          }}
        />
        <QueryTable
          query={found}
          texts={t}
          columns={useColumns((id) => void resend(id))}
          rows={found.data?.deliveries ?? []}
          getRowKey={(row) => row.eventId}
          leastRows={DELIVERIES_PER_PAGE}
        />
        <Pager
          page={page}
          pageCount={Math.ceil((found.data?.totalCount ?? 0) / DELIVERIES_PER_PAGE)}
          onChange={setPage}
          labels={lists.pager}
        />
      </div>
    </Dialog>
  )
}

/**
 * Returns the columns of the deliveries.
 * @param resend makes the delivery of an event due again
 */
function useColumns(resend: (eventId: string) => void): ListColumn<Delivery>[] {
  const t = useWebhookTexts().deliveries
  const audit = useAuditTexts()
  const { text, column } = columnsOf<Delivery, keyof typeof t.columns>(t.columns)
  const state = (row: Delivery) => (
    <span className={layout.row}>
      <Badge tone={TONES[row.state]}>{t.states[row.state]}</Badge>
      {row.nextAttemptAt !== '' && row.attempts > 0 && (
        <span className={layout.hint}>{t.next(minuteOf(row.nextAttemptAt))}</span>
      )}
    </span>
  )
  const answer = ({ status, answer: start }: Delivery) => [status || '', start].join(' ').trim()
  const actions = ({ eventId }: Delivery) => (
    <Button size="small" aria-label={t.resendOf(eventId)} onClick={() => resend(eventId)}>
      {t.resend}
    </Button>
  )
  return [
    text('eventId', { width: 90 }),
    column('action', (row) => audit.actions[row.action], { isRowHeader: true }),
    column('occurredAt', (row) => minuteOf(row.occurredAt), { width: 150 }),
    column('state', state, { width: 220 }),
    text('attempts', { width: 80, align: 'right' }),
    column('answer', answer),
    column('actions', actions, { width: 110 }),
  ]
}
