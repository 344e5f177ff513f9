import * as z from 'zod/mini'
import { refusalReason, refuseAffiliationChanges, refuseRequests } from '../../../contract/approvals.ts'
import { useMailingCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { DecisionDialog, type DecisionProps } from './decision-dialog.tsx'

const refusal = z.strictObject({ reason: refusalReason })

/** Refuses sign-ups; the accounts are gone then. */
export function RefuseDialog(decision: DecisionProps) {
  const t = usePortalMessages().approvals
  const { mutateAsync } = useMailingCall(refuseRequests)
  return <Refusal {...decision} title={t.refuseTitle} lead={t.refuseLead} refuse={mutateAsync} />
}

/** Refuses changes of affiliation; everybody stays where they are. */
export function RefuseChangeDialog(decision: DecisionProps) {
  const t = usePortalMessages().approvals
  const { mutateAsync } = useMailingCall(refuseAffiliationChanges)
  return <Refusal {...decision} title={t.refuseChangeTitle} lead={t.refuseChangeLead} refuse={mutateAsync} />
}

interface RefusalProps extends DecisionProps {
  title: string
  lead: string
  refuse: (values: {
    requests: string[]
    reason: string
  }) => Promise<{ data: { refusedCount: number }; msg: string }>
}

/** Asks for the reason that everybody chosen reads in a mail. */
function Refusal({ refuse, ...decision }: RefusalProps) {
  const t = usePortalMessages().approvals
  const form = useSchemaForm(refusal, { reason: '' })
  return (
    <DecisionDialog
      {...decision}
      submitLabel={t.refuse}
      isDanger
      form={form}
      decide={async (values) => {
        const { data, msg } = await refuse(values)
        return t.refused(data.refusedCount, msg)
      }}
    >
      <FormGrid columns={1} labels="top">
        <BoundArea name="reason" label={t.reason} rows={5} isRequired />
      </FormGrid>
    </DecisionDialog>
  )
}
