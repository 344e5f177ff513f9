import * as z from 'zod/mini'
import { line } from '../../../contract/fields.ts'
import { listKeys, REASON_LENGTH, revokeKey } from '../../../contract/keys.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FactList } from '../../ui/fact-list.tsx'
import type { KeyRow } from './key-columns.tsx'
import layout from '../../ui/layout.module.css'

const typed = z.strictObject({ reason: line(REASON_LENGTH) })

/** Asks for the reason and whether the key is really to be revoked; both in one dialog. */
export function RevokeDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  const t = usePortalMessages().keys.revoke
  const revoke = useCall(revokeKey)
  const form = useSchemaForm(typed, { reason: '' }, 'onSubmit')

  async function submit({ reason }: z.output<typeof typed>): Promise<void> {
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
    <FormDialog
      title={t.title}
      about={row.keyId}
      isDanger
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.yes}
      className={layout.stack}
    >
      <FactList
        facts={[
          [t.requester, `${row.name} (${row.userId})`],
          [t.requestKey, row.requestKey],
          [t.issuedAt, row.issuedAt],
          [t.partner, row.partnerCode],
        ]}
      />
      <p>{t.text}</p>
      <BoundText name="reason" label={t.reason} isRequired maxLength={REASON_LENGTH} autoComplete="off" />
    </FormDialog>
  )
}
