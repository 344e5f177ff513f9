import * as z from 'zod/mini'
import { line } from '../../../contract/fields.ts'
import { listPartners, resumePartner, STOP_REASON_LENGTH, stopPartner } from '../../../contract/partners.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import type { PartnerRecord } from './form-values.ts'

const typed = z.strictObject({ reason: line(STOP_REASON_LENGTH) })

interface Props {
  record: PartnerRecord
  onChanged: () => Promise<void>
  onClose: () => void
}

/** Asks why a partner is stopped, or goes on, and says what that does to its keys. */
export function StopDialog({ record: { partnerCode, state }, onChanged, onClose }: Props) {
  const t = usePortalMessages().partners.status
  const isStop = state !== 'stopped'
  const stop = useCall(stopPartner)
  const resume = useCall(resumePartner)
  const form = useSchemaForm(typed, { reason: '' }, 'onSubmit')

  async function submit({ reason }: z.output<typeof typed>): Promise<void> {
    try {
      await (isStop ? stop : resume).mutateAsync({ partnerCode, reason })
    } catch (error) {
      await showRefusalOnField(error, form, { INPUT_INVALID: 'reason' })
      // Somebody else was faster: the page shows what they did.
      await onChanged()
      return
    }
    onClose()
    void invalidate(listPartners)
    await onChanged()
    await dialogs.alert({ tone: 'success', message: isStop ? t.stopped : t.resumed })
  }

  return (
    <FormDialog
      title={isStop ? t.stopTitle : t.resumeTitle}
      about={partnerCode}
      isDanger={isStop}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={isStop ? t.stop : t.resume}
      className={layout.stack}
    >
      <p>{(isStop ? t.stopText : t.resumeText)(partnerCode)}</p>
      <BoundText
        name="reason"
        label={t.reason}
        isRequired
        maxLength={STOP_REASON_LENGTH}
        autoComplete="off"
      />
    </FormDialog>
  )
}
