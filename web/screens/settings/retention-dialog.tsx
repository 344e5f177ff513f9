import * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { lineOrEmpty } from '../../../contract/fields.ts'
import {
  getRetention,
  RETENTION,
  RETENTION_KINDS,
  type RetentionKind,
  updateRetention,
} from '../../../contract/settings/retention.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { useRetentionTexts } from './retention-texts.ts'

type Kept = OutputOf<typeof getRetention>

const digits = (kind: RetentionKind) => {
  const { min, max } = RETENTION[kind]
  return z.string().check(
    z.trim(),
    z.minLength(1, 'required'),
    z.refine(
      (text) => text === '' || (/^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max),
      `numberRange|${min}~${max}`,
    ),
  )
}

const typed = z.strictObject({
  keptFor: z.strictObject(
    Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, digits(kind)])) as Record<
      RetentionKind,
      ReturnType<typeof digits>
    >,
  ),
  officerName: lineOrEmpty(100),
})
type Values = z.input<typeof typed>

const valuesOf = ({ kinds, officerName }: Kept): Values => ({
  keptFor: Object.fromEntries(kinds.map(({ kind, keptFor }) => [kind, String(keptFor)])) as Values['keptFor'],
  officerName,
})

/** Asks how long each kind of data is to be kept, and who answers for the erasing. */
export function RetentionDialog({ record, onClose }: { record: Kept; onClose: () => void }) {
  const t = useRetentionTexts()
  const update = useCall(updateRetention)
  const form = useSchemaForm<Values, z.output<typeof typed>>(typed, valuesOf(record))

  async function submit({ keptFor, officerName }: z.output<typeof typed>): Promise<void> {
    try {
      await update.mutateAsync({
        kinds: RETENTION_KINDS.map((kind) => ({ kind, keptFor: Number(keptFor[kind]) })),
        officerName,
        version: record.version,
      })
    } catch (error) {
      await showRefusalOnField(error, form, {})
      // Somebody else has set them meanwhile: what they have set is to be seen first.
      if (!(error instanceof CallError && error.code === 'RECORD_CHANGED')) return
      onClose()
      await invalidate(getRetention)
      return
    }
    onClose()
    await invalidate(getRetention)
    await dialogs.alert({ tone: 'success', message: t.saved })
  }

  return (
    <FormDialog
      title={t.change}
      about=""
      isWide
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.save}
      className={layout.stack}
    >
      <p className={layout.quiet}>{t.dialogLead}</p>
      <FormGrid labels="top">
        {RETENTION_KINDS.map((kind) => {
          const { unit, min, max, usual } = RETENTION[kind]
          return (
            <BoundText<Values>
              key={kind}
              name={`keptFor.${kind}`}
              label={t.kinds[kind]}
              inputMode="numeric"
              autoComplete="off"
              isRequired
              description={t.bounds(t.units[unit], min, max, usual)}
            />
          )
        })}
        <BoundText<Values>
          name="officerName"
          label={t.officer}
          autoComplete="off"
          description={t.officerHint}
        />
      </FormGrid>
    </FormDialog>
  )
}
