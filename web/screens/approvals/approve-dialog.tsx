import { useState } from 'react'
import * as z from 'zod/mini'
import { approvalFields, approveRequests } from '../../../contract/approvals.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { datesInOrder } from '../../../contract/users.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { BoundSelect, ValidityFields } from '../../forms/bound-fields.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { today } from '../../forms/today.ts'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { useRoles } from '../users/lists.ts'
import { PartnerSelect } from '../users/partner-select.tsx'
import layout from '../../ui/layout.module.css'
import { ChosenPeople } from './chosen-people.tsx'
import type { RequestRow } from './request-columns.tsx'

const approval = z.strictObject(approvalFields).check(datesInOrder)

/** What a decision's dialog tells the page. */
export interface DecisionProps {
  requests: readonly RequestRow[]
  onDone: (count: number) => void
  /** The refusal is told: what the dialog was about is no longer so. */
  onStale: () => void
  onClose: () => void
}

/** The refusals after which the list has to be looked at again: nothing was changed. */
export function isStale(error: unknown): boolean {
  return error instanceof CallError && ['REQUEST_DECIDED', 'REQUEST_NOT_FOUND'].includes(error.code)
}

/** Validity, authority, and one partner code for each affiliation among the chosen: partner codes belong to one. */
export function ApproveDialog({ requests: opened, onDone, onStale, onClose }: DecisionProps) {
  const { approvals: t, fields } = usePortalMessages()
  // What the dialog was opened for stays, whatever the list behind it does.
  const [requests] = useState(opened)
  const affiliations = [...new Map(requests.map((row) => [row.affiliationCode, row.affiliationName]))]
  const { mutateAsync } = useCall(approveRequests)
  const form = useSchemaForm(approval, {
    validFrom: today(),
    validTo: '',
    roleCode: ROLE.user,
    partners: affiliations.map(([affiliationCode]) => ({ affiliationCode, partnerCode: '' })),
  })

  async function submit(values: z.output<typeof approval>): Promise<void> {
    try {
      const ids = requests.map(({ requestId }) => requestId)
      onDone((await mutateAsync({ requests: ids, ...values })).approvedCount)
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (isStale(error)) onStale()
    }
  }

  return (
    <FormDialog
      title={t.approveTitle}
      isWide
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.approve}
    >
      <p className={layout.lead}>{t.approveLead}</p>
      <ChosenPeople requests={requests} />
      <FormGrid labels="top">
        <ValidityFields isRequired />
        <BoundSelect name="roleCode" label={fields.roleCode} choices={useRoles()} isRequired />
        {affiliations.map(([code, name], index) => (
          <PartnerSelect
            key={code}
            name={`partners.${index}.partnerCode`}
            label={t.partnerOf(name)}
            affiliation={code}
          />
        ))}
      </FormGrid>
    </FormDialog>
  )
}
