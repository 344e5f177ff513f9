import * as z from 'zod/mini'
import { getInspection, listInspections, OPINION_LENGTH, signInspection } from '../../../contract/audit.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import type { Inspection } from './inspection.page.tsx'
import { useInspectionTexts } from './inspection-texts.ts'

const typed = z.strictObject({ opinion: signInspection.input._zod.def.shape.opinion })

/** Asks for the opinion about the month as a whole, and signs it. */
export function SignDialog({ inspection, onClose }: { inspection: Inspection; onClose: () => void }) {
  const t = useInspectionTexts().month
  const sign = useCall(signInspection)
  const { month, findings } = inspection
  const form = useSchemaForm(typed, { opinion: '' })

  async function submit({ opinion }: z.output<typeof typed>): Promise<void> {
    try {
      await sign.mutateAsync({ month, findingCount: findings.length, opinion })
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (!(error instanceof CallError) || error.code === 'INPUT_INVALID') return
      onClose()
      await invalidate(getInspection)
      return
    }
    onClose()
    await Promise.all([invalidate(getInspection), invalidate(listInspections)])
    await dialogs.alert({ tone: 'success', message: t.signed })
  }

  return (
    <FormDialog
      title={t.signTitle}
      about={month}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.sign}
      className={layout.stack}
    >
      <p>{t.signLead}</p>
      <FormGrid columns={1} labels="top">
        <BoundArea name="opinion" label={t.opinionLabel} rows={5} maxLength={OPINION_LENGTH} isRequired />
      </FormGrid>
    </FormDialog>
  )
}
