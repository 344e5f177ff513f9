import { useController, useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import { AUDIT_ACTIONS, AUDIT_NOUNS } from '../../../contract/audit-actions.ts'
import {
  createWebhook,
  type EventKind,
  rollWebhook,
  updateWebhook,
  WEBHOOK_NAME_LENGTH,
  WEBHOOK_URL_LENGTH,
  webhookForm,
} from '../../../contract/events.ts'
import { flag } from '../../../contract/fields.ts'
import { OVERLAP_DAYS } from '../../../contract/keys.ts'
import type { AuditTexts } from '../../../contract/messages/ko/audit.ts'
import { call } from '../../api/client.ts'
import { BoundCheckbox } from '../../forms/bound-checkbox.tsx'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { MultiChoice } from '../../forms/multi-choice.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import layout from '../../ui/layout.module.css'
import { showToast } from '../../ui/toasts.ts'
import { useAuditTexts } from '../audit/audit-texts.ts'
import { useTokenTexts } from '../keys/token-texts.ts'
import { useWebhookTexts } from './webhook-texts.ts'
import type { Webhook } from './webhooks.page.tsx'

/** Returns the name of a kind of events: one action, or all actions on a kind of record. */
export const eventNameOf = (texts: AuditTexts, kind: EventKind): string =>
  AUDIT_NOUNS.some((noun) => noun === kind)
    ? texts.allOf(texts.nouns[kind as keyof AuditTexts['nouns']])
    : texts.actions[kind as keyof AuditTexts['actions']]

/** Schema of the dialog of a webhook. */
const schema = z.strictObject({ ...webhookForm, isEnabled: flag })
/** Values of the dialog of a webhook. */
type Values = z.output<typeof schema>

/** The webhook and the results of its dialog. */
interface Props<Row> {
  row: Row
  /** Called after success, with the new secret if the server has created one. */
  onDone: (secret?: string) => Promise<void>
  onClose: () => void
}

/**
 * Shows the dialog that registers a webhook (`createWebhook`, for the row null), or edits one and switches it on or off
 * (`updateWebhook`). Refusals such as WEBHOOK_NAME_TAKEN and WEBHOOK_URL are shown at their fields.
 */
export function WebhookDialog({ row, onDone, onClose }: Props<Webhook | null>) {
  const t = useWebhookTexts()
  const isEnabled = row === null || row.state === 'live' || row.state === 'failing'
  const { webhookName = '', url = '', eventKinds = [] } = row ?? {}
  const form = useSchemaForm(schema, { webhookName, url, eventKinds, isEnabled }, 'onSubmit')

  async function save({ isEnabled: isOn, ...values }: Values): Promise<void> {
    if (row === null) return onDone((await call(createWebhook, values)).webhookSecret)
    const { webhookId, version } = row
    await call(updateWebhook, { ...values, isEnabled: isOn, webhookId, version })
    showToast(t.saved)
    await onDone()
  }

  return (
    <FormDialog
      title={row === null ? t.create : t.editOf(row.webhookName)}
      submitLabel={row === null ? t.create : t.save}
      about={row?.webhookId}
      form={form}
      onSubmit={(values) =>
        save(values).catch((error: unknown) =>
          showRefusalOnField(error, form, { WEBHOOK_NAME_TAKEN: 'webhookName', WEBHOOK_URL: 'url' }),
        )
      }
      onClose={onClose}
      className={layout.stack}
    >
      <BoundText
        name="webhookName"
        label={t.name}
        isRequired
        maxLength={WEBHOOK_NAME_LENGTH}
        autoComplete="off"
      />
      <BoundText
        name="url"
        label={t.url}
        description={t.urlHint}
        isRequired
        maxLength={WEBHOOK_URL_LENGTH}
        autoComplete="off"
      />
      <KindsField />
      {row !== null && <BoundCheckbox<Values> name="isEnabled" label={t.isEnabled} />}
    </FormDialog>
  )
}

/** Shows the bound list of events that the webhook receives, to add and remove; none means all. */
function KindsField() {
  const t = useWebhookTexts()
  const audit = useAuditTexts()
  const { control } = useFormContext<Values>()
  const { field } = useController({ control, name: 'eventKinds' })
  const kinds: EventKind[] = AUDIT_NOUNS.flatMap((noun) => [
    noun,
    ...AUDIT_ACTIONS.filter((action) => action.startsWith(`${noun}.`)),
  ])
  return (
    <MultiChoice
      label={t.kinds}
      choices={fixedChoices(kinds.map((kind) => ({ value: kind, label: eventNameOf(audit, kind) })))}
      values={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      most={kinds.length}
      emptyText={t.allKinds}
      addText={t.addKind}
      removeText={t.removeKind}
    />
  )
}

/** Schema of a rotation. */
const rollSchema = z.strictObject({ overlapDays: z.pipe(z.string(), z.transform(Number)) })

/**
 * Shows the dialog that replaces the secret of a webhook (`rollWebhook`) and passes the new one to `onDone`. The
 * previous one stays valid for the chosen number of days.
 */
export function RollDialog({ row, onDone, onClose }: Props<Webhook>) {
  const t = useWebhookTexts()
  const { overlap } = useTokenTexts()
  const form = useSchemaForm(rollSchema, { overlapDays: String(OVERLAP_DAYS.usual) }, 'onSubmit')
  const choices = OVERLAP_DAYS.offered.map((n) => ({ value: String(n), label: overlap(n) }))
  return (
    <FormDialog
      title={t.rollOf(row.webhookName)}
      submitLabel={t.roll}
      about={row.webhookId}
      form={form}
      onSubmit={({ overlapDays }) =>
        call(rollWebhook, { webhookId: row.webhookId, overlapDays })
          .then(({ webhookSecret }) => onDone(webhookSecret))
          .catch((error: unknown) => showRefusalOnField(error, form, {}))
      }
      onClose={onClose}
      className={layout.stack}
    >
      <p>{t.rollText}</p>
      <BoundSelect name="overlapDays" label={t.overlapDays} choices={fixedChoices(choices)} isRequired />
    </FormDialog>
  )
}
