import { useState } from 'react'
import * as z from 'zod/mini'
import { line } from '../../../contract/fields.ts'
import { createService, listServices, SERVICE_NAME_LENGTH } from '../../../contract/keys.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { TextField } from '../../ui/text-field.tsx'
import layout from '../../ui/layout.module.css'

const typed = z.strictObject({ serviceName: line(SERVICE_NAME_LENGTH) })

/** Makes a token and shows it, once: closing the dialog forgets it. */
export function CreateService({ onClose }: { onClose: () => void }) {
  const { keys, fields, forms } = usePortalMessages()
  const t = keys.services
  const create = useCall(createService)
  const [token, setToken] = useState<string>()
  const form = useSchemaForm(typed, { serviceName: '' }, 'onSubmit')

  async function submit(values: z.output<typeof typed>): Promise<void> {
    try {
      const made = await create.mutateAsync(values)
      // The answer is not kept beside what the dialog shows.
      create.reset()
      setToken(made.serviceToken)
    } catch (error) {
      return showRefusalOnField(error, form, {
        SERVICE_NAME_TAKEN: 'serviceName',
        INPUT_INVALID: 'serviceName',
      })
    }
    await invalidate(listServices)
  }

  async function copy(text: string): Promise<void> {
    // Without TLS a browser has no clipboard for pages: the text stands there to be selected.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    await dialogs.alert(
      isCopied ? { tone: 'success', message: t.copied } : { tone: 'info', message: t.copyFailed },
    )
  }

  if (token !== undefined) {
    return (
      <Dialog
        title={t.tokenTitle}
        width="wide"
        onClose={onClose}
        footer={
          <>
            <Button onClick={() => void copy(token)}>{t.copy}</Button>
            <Button variant="primary" onClick={onClose}>
              {forms.close}
            </Button>
          </>
        }
      >
        <div className={layout.stack}>
          <p>{t.tokenText}</p>
          <TextField label={t.token} value={token} onChange={() => {}} isReadOnly />
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={t.createTitle}
      about=""
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.create}
      className={layout.stack}
    >
      <BoundText
        name="serviceName"
        label={fields.serviceName}
        isRequired
        maxLength={SERVICE_NAME_LENGTH}
        autoComplete="off"
      />
    </FormDialog>
  )
}
