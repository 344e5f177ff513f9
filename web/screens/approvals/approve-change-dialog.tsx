import * as z from 'zod/mini'
import { approvalFields, approveAffiliationChanges } from '../../../contract/approvals.ts'
import { useMailingCall } from '../../api/query.ts'
import { useSchemaForm } from '../../forms/form.tsx'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { DecisionDialog, type DecisionProps } from './decision-dialog.tsx'
import { PartnerChoices, partnersToChoose } from './partner-choices.tsx'

const placing = z.strictObject({ partners: approvalFields.partners })

/** One partner code for each new affiliation among the chosen changes, its default one chosen beforehand. */
export function ApproveChangeDialog(decision: DecisionProps) {
  const t = usePortalMessages().approvals
  const approve = useMailingCall(approveAffiliationChanges)
  const form = useSchemaForm(placing, { partners: partnersToChoose(decision.requests) })
  return (
    <DecisionDialog
      {...decision}
      title={t.changeTitle}
      lead={t.changeLead}
      submitLabel={t.approve}
      form={form}
      decide={async (values) => {
        const { data, msg } = await approve.mutateAsync(values)
        return t.approved(data.approvedCount, msg)
      }}
    >
      <FormGrid labels="top">
        <PartnerChoices requests={decision.requests} />
      </FormGrid>
    </DecisionDialog>
  )
}
