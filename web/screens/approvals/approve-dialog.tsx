import * as z from 'zod/mini'
import { approvalFields, approveRequests } from '../../../contract/approvals.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { datesInOrder } from '../../../contract/fields.ts'
import { useMailingCall } from '../../api/query.ts'
import { BoundSelect, ValidityFields } from '../../forms/bound-fields.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { today } from '../../forms/today.ts'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { useRoles } from '../users/search/lists.ts'
import { DecisionDialog, type DecisionProps } from './decision-dialog.tsx'
import { PartnerChoices, partnersToChoose } from './partner-choices.tsx'

const approval = z.strictObject(approvalFields).check(datesInOrder)

/** Validity, authority, and one partner code for each affiliation among the chosen: partner codes belong to one. */
export function ApproveDialog(decision: DecisionProps) {
  const { approvals: t, fields } = usePortalMessages()
  const approve = useMailingCall(approveRequests)
  const form = useSchemaForm(approval, {
    validFrom: today(),
    validTo: '',
    roleCode: ROLE.user,
    partners: partnersToChoose(decision.requests),
  })
  return (
    <DecisionDialog
      {...decision}
      title={t.approveTitle}
      lead={t.approveLead}
      submitLabel={t.approve}
      form={form}
      decide={async (values) => {
        const { data, msg } = await approve.mutateAsync(values)
        return t.approved(data.approvedCount, msg)
      }}
    >
      <FormGrid labels="top">
        <ValidityFields isRequired />
        <BoundSelect name="roleCode" label={fields.roleCode} choices={useRoles()} isRequired />
        <PartnerChoices requests={decision.requests} />
      </FormGrid>
    </DecisionDialog>
  )
}
