import { useState } from 'react'
import * as z from 'zod/mini'
import { refusalReason, refuseRequests } from '../../../contract/approvals.ts'
import { useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { isStale, type DecisionProps } from './approve-dialog.tsx'
import { ChosenPeople } from './chosen-people.tsx'
import layout from '../../ui/layout.module.css'

const refusal = z.strictObject({ reason: refusalReason })

/** The reason that everybody chosen reads in a mail. */
export function RefuseDialog({ requests: opened, onDone, onStale, onClose }: DecisionProps) {
  const t = usePortalMessages().approvals
  // What the dialog was opened for stays, whatever the list behind it does.
  const [requests] = useState(opened)
  const { mutateAsync } = useCall(refuseRequests)
  const form = useSchemaForm(refusal, { reason: '' })

  async function submit({ reason }: z.output<typeof refusal>): Promise<void> {
    try {
      const ids = requests.map(({ requestId }) => requestId)
      onDone((await mutateAsync({ requests: ids, reason })).refusedCount)
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (isStale(error)) onStale()
    }
  }

  return (
    <FormDialog
      title={t.refuseTitle}
      isWide
      isDanger
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.refuse}
    >
      <p className={layout.lead}>{t.refuseLead}</p>
      <ChosenPeople requests={requests} />
      <FormGrid columns={1} labels="top">
        <BoundArea name="reason" label={t.reason} rows={5} isRequired />
      </FormGrid>
    </FormDialog>
  )
}
