import * as z from 'zod/mini'
import { refusalReason, refuseRequests } from '../../../contract/approvals.ts'
import { useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { DecisionDialog, type DecisionProps } from './decision-dialog.tsx'

const refusal = z.strictObject({ reason: refusalReason })

/** The reason that everybody chosen reads in a mail. */
export function RefuseDialog(decision: DecisionProps) {
  const t = usePortalMessages().approvals
  const refuse = useCall(refuseRequests)
  const form = useSchemaForm(refusal, { reason: '' })
  return (
    <DecisionDialog
      {...decision}
      title={t.refuseTitle}
      lead={t.refuseLead}
      submitLabel={t.refuse}
      isDanger
      form={form}
      decide={async (values) => (await refuse.mutateAsync(values)).refusedCount}
    >
      <FormGrid columns={1} labels="top">
        <BoundArea name="reason" label={t.reason} rows={5} isRequired />
      </FormGrid>
    </DecisionDialog>
  )
}
