import * as z from 'zod/mini'
import {
  approveAffiliationChanges,
  approvalFields,
  refusalReason,
  refuseAffiliationChanges,
} from '../../../contract/approvals.ts'
import { useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { PartnerSelect } from '../users/partner-select.tsx'
import { DecisionDialog, type DecisionProps } from './decision-dialog.tsx'

const placing = z.strictObject({ partners: approvalFields.partners })
const refusal = z.strictObject({ reason: refusalReason })

/** One partner code for each new affiliation among the chosen changes, its default one chosen beforehand. */
export function ApproveChangeDialog(decision: DecisionProps) {
  const t = usePortalMessages().approvals
  const approve = useCall(approveAffiliationChanges)
  const affiliations = [
    ...new Map(decision.requests.map((row) => [row.newAffiliationCode ?? '', row.newAffiliationName ?? ''])),
  ]
  const form = useSchemaForm(placing, {
    partners: affiliations.map(([affiliationCode]) => ({ affiliationCode, partnerCode: '' })),
  })
  return (
    <DecisionDialog
      {...decision}
      title={t.changeTitle}
      lead={t.changeLead}
      submitLabel={t.approve}
      form={form}
      decide={async (values) => (await approve.mutateAsync(values)).approvedCount}
    >
      <FormGrid labels="top">
        {affiliations.map(([code, name], index) => (
          <PartnerSelect
            key={code}
            name={`partners.${index}.partnerCode`}
            label={t.partnerOf(name)}
            affiliation={code}
          />
        ))}
      </FormGrid>
    </DecisionDialog>
  )
}

/** The reason that everybody chosen reads in a mail; their affiliation stays. */
export function RefuseChangeDialog(decision: DecisionProps) {
  const t = usePortalMessages().approvals
  const refuse = useCall(refuseAffiliationChanges)
  const form = useSchemaForm(refusal, { reason: '' })
  return (
    <DecisionDialog
      {...decision}
      title={t.refuseChangeTitle}
      lead={t.refuseChangeLead}
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
