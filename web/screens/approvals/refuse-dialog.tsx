import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { refusalReason, refuseRequests } from '../../../contract/approvals.ts'
import { useCall } from '../../api/query.ts'
import { useBound } from '../../forms/bound-text.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { isStale, type DecisionProps } from './approve-dialog.tsx'
import layout from '../../ui/layout.module.css'
import { ChosenPeople } from './chosen-people.tsx'

const refusal = z.strictObject({ reason: refusalReason })
type Refusal = z.input<typeof refusal>

/** The reason that everybody chosen reads in a mail. */
export function RefuseDialog({ requests: opened, onDone, onStale, onClose }: DecisionProps) {
  const t = usePortalMessages().approvals
  // What the dialog was opened for stays, whatever the list behind it does.
  const [requests] = useState(opened)
  const { mutateAsync } = useCall(refuseRequests)
  const form = useForm<Refusal>({
    defaultValues: { reason: '' },
    resolver: standardSchemaResolver(refusal),
    mode: 'onTouched',
  })

  async function submit({ reason }: Refusal): Promise<void> {
    try {
      const ids = requests.map(({ requestId }) => requestId)
      onDone((await mutateAsync({ requests: ids, reason })).refusedCount)
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (isStale(error)) onStale()
    }
  }

  return (
    <Dialog title={t.refuseTitle} width="wide" closeLabel={t.close} onClose={onClose}>
      <p className={layout.lead}>{t.refuseLead}</p>
      <ChosenPeople requests={requests} />
      <FormProvider {...form}>
        <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
          <FormGrid columns={1} labels="top">
            <ReasonField />
          </FormGrid>
          <FormActions>
            <Button onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" variant="danger" isPending={form.formState.isSubmitting}>
              {t.refuse}
            </Button>
          </FormActions>
        </form>
      </FormProvider>
    </Dialog>
  )
}

function ReasonField() {
  const t = usePortalMessages().approvals
  const bound = useBound<Refusal>({ name: 'reason' })
  return <TextArea {...bound} label={t.reason} rows={5} isRequired />
}
