import type { ReactNode } from 'react'
import type { FieldValues, SubmitHandler, UseFormReturn } from 'react-hook-form'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/lazy-dialog.tsx'
import { FormActions } from '../ui/form-grid.tsx'
import { Form } from './form.tsx'
import { isSecret } from './secret.ts'
import { useCloseGuard } from './use-leave-guard.ts'

interface Props<Values extends FieldValues, Checked extends FieldValues> {
  title: string
  form: UseFormReturn<Values, unknown, Checked>
  onSubmit: SubmitHandler<Checked>
  onClose: () => void
  /** What the button is called that submits. */
  submitLabel: string
  /** Submitting destroys something. */
  isDanger?: boolean | undefined
  isWide?: boolean | undefined
  className?: string | undefined
  /** Which record it is about, '' for none yet: a draft of one is not offered for another. */
  about: string
  children: ReactNode
}

/**
 * A dialog that asks for something, and asks back before it is closed over what was typed. To be rendered beside a page's own form, not inside: React hands the submit of a
 * form in a portal on to the form around it.
 */
export function FormDialog<Values extends FieldValues, Checked extends FieldValues>(
  props: Props<Values, Checked>,
) {
  const { title, form, onSubmit, onClose, submitLabel, isDanger, isWide, className, about, children } = props
  const t = usePortalMessages().forms
  const { isDirty, isSubmitting } = form.formState
  // A password alone is nothing that would be lost.
  const isTyped = isDirty && !Object.keys(form.getValues()).every(isSecret)
  const close = useCloseGuard(isTyped, onClose, isSubmitting)
  return (
    <Dialog title={title} width={isWide ? 'wide' : 'default'} closeLabel={t.close} onClose={close}>
      <Form form={form} draft={`${title} ${about}`} onSubmit={onSubmit} className={className}>
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
