import * as z from 'zod/mini'
import { OPINION_LENGTH, signInspection } from '../../../contract/audit.ts'
import { CallError } from '../../api/call-error.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import type { Signing } from './sign-button.tsx'

const typed = z.strictObject({ opinion: signInspection.input._zod.def.shape.opinion })

/** Asks for the opinion about an inspection or a review as a whole, and signs it. */
export function SignDialog({ about, texts: t, sign, refresh, onClose }: Signing & { onClose: () => void }) {
  const form = useSchemaForm(typed, { opinion: '' })

  async function submit({ opinion }: z.output<typeof typed>): Promise<void> {
    try {
      await sign(opinion)
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (!(error instanceof CallError) || error.code === 'INPUT_INVALID') return
      onClose()
      await refresh()
      return
    }
    onClose()
    await refresh()
    await dialogs.alert({ tone: 'success', message: t.signed })
  }

  return (
    <FormDialog
      title={t.signTitle}
      about={about}
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
