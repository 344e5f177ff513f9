import * as z from 'zod/mini'
import { OPINION_LENGTH, signInspection } from '../../../contract/audit.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import type { SignatureProps } from './sign-button.tsx'

/** Schema of the dialog. */
const typed = z.strictObject({ opinion: signInspection.input._zod.def.shape.opinion })

/**
 * Shows the dialog that asks for an opinion on an inspection or a review as a whole, and signs it. Any refusal but that
 * of an invalid input closes it, and the current state is read again.
 */
export function SignDialog({
  about,
  texts: t,
  sign,
  refresh,
  onClose,
}: SignatureProps & { onClose: () => void }) {
  const form = useDialogForm({
    schema: typed,
    initial: { opinion: '' },
    submit: ({ opinion }) => sign(opinion),
    done: () => t.signed,
    isOutdated: (code) => code !== 'INPUT_INVALID',
    onChanged: refresh,
    onClose,
  })
  return (
    <FormDialog title={t.signTitle} about={about} {...form} submitLabel={t.sign} className={layout.stack}>
      <p>{t.signLead}</p>
      <FormGrid columns={1} labels="top">
        <BoundArea name="opinion" label={t.opinionLabel} rows={5} maxLength={OPINION_LENGTH} isRequired />
      </FormGrid>
    </FormDialog>
  )
}
