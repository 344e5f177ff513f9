import type { ReactNode } from 'react'
import type { FieldValues, SubmitHandler, UseFormReturn } from 'react-hook-form'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/lazy-dialog.tsx'
import { FormActions } from '../ui/form-grid.tsx'
import { Form } from './form.tsx'
import { isSecret } from './secret-fields.ts'
import { useCloseGuard } from './use-leave-guard.ts'

interface Props<Values extends FieldValues, Checked extends FieldValues> {
  title: string
  form: UseFormReturn<Values, unknown, Checked>
  onSubmit: SubmitHandler<Checked>
  onClose: () => void
  /** Label of the submit button. */
  submitLabel: string
  /** True if submitting deletes something. */
  isDanger?: boolean | undefined
  isWide?: boolean | undefined
  className?: string | undefined
  /** Names the record in the storage key of the draft; '' by default, for a new record. */
  about?: string | undefined
  children: ReactNode
}

/**
 * Shows a dialog with a form, and buttons to submit or cancel. Asks before it closes over unsaved input, except
 * for passwords. Does not close while a submit runs. Its draft is stored only before a server failure redirects.
 * Must not be rendered inside another form: React events bubble through portals.
 */
export function FormDialog<Values extends FieldValues, Checked extends FieldValues>(
  props: Props<Values, Checked>,
) {
  const { title, form, onSubmit, onClose, submitLabel, isDanger, isWide, className, children } = props
  const t = usePortalMessages().forms
  const { isDirty, isSubmitting } = form.formState
  // A password alone is not worth a question.
  const isTyped = isDirty && !Object.keys(form.getValues()).every(isSecret)
  const close = useCloseGuard(isTyped, onClose, isSubmitting)
  return (
    <Dialog title={title} width={isWide ? 'wide' : 'default'} closeLabel={t.close} onClose={close}>
      <Form form={form} draft={`${title} ${props.about ?? ''}`} onSubmit={onSubmit} className={className}>
        {children}
        <FormActions>
          <Button onClick={close}>{t.cancel}</Button>
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} isPending={isSubmitting}>
            {submitLabel}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
