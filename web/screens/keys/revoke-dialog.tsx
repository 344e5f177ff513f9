import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { line } from '../../../contract/fields.ts'
import { listKeys, REASON_LENGTH, revokeKey } from '../../../contract/keys.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions } from '../../ui/form-grid.tsx'
import type { KeyRow } from './key-columns.tsx'
import layout from '../../ui/layout.module.css'

const typed = z.strictObject({ reason: line(REASON_LENGTH) })

/** Asks for the reason and whether the key is really to be revoked; both in one dialog. */
export function RevokeDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  const { keys, users } = usePortalMessages()
  const t = keys.revoke
  const revoke = useCall(revokeKey)
  const form = useForm<z.input<typeof typed>>({
    defaultValues: { reason: '' },
    resolver: standardSchemaResolver(typed),
  })

  async function submit({ reason }: z.input<typeof typed>): Promise<void> {
    try {
      await revoke.mutateAsync({ keyId: row.keyId, reason })
    } catch (error) {
      await showRefusalOnField(error, form, { INPUT_INVALID: 'reason' })
      // Somebody else was faster: the list shows what they wrote.
      await invalidate(listKeys)
      return
    }
    onClose()
    await invalidate(listKeys)
    await dialogs.alert({ tone: 'success', message: t.done })
  }

  return (
    <Dialog title={t.title} closeLabel={users.password.close} onClose={onClose}>
      <FormProvider {...form}>
        <form noValidate className={layout.stack} onSubmit={(event) => void form.handleSubmit(submit)(event)}>
          <p>{t.text}</p>
          <BoundText name="reason" label={t.reason} isRequired maxLength={REASON_LENGTH} autoComplete="off" />
          <FormActions>
            <Button onClick={onClose}>{t.no}</Button>
            <Button type="submit" variant="danger" isPending={form.formState.isSubmitting}>
              {t.yes}
            </Button>
          </FormActions>
        </form>
      </FormProvider>
    </Dialog>
  )
}
