import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { APPROVAL } from '../../../../contract/users.ts'
import { BoundSelect, ValidityFields } from '../../../forms/bound-fields.tsx'
import { proposedValidity } from '../../../forms/proposed-validity.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FieldRow } from '../../../ui/field.tsx'
import { FormGrid } from '../../../ui/form-grid.tsx'
import { Sentence } from '../../../ui/capitalized.tsx'
import type { UserFormValues } from './form-values.ts'
import { useRoles } from '../search/lists.ts'
import { PartnerSelect } from './partner-select.tsx'
import layout from '../../../ui/layout.module.css'

/**
 * Shows the card 'admin input' of the user form: validity, partner code, role and approval (rules/users#admin-card).
 * Offers the roles that the viewer may grant, and the saved one. The fields only change the form, which saves them. Must be
 * inside a `Form` of `UserFormValues`.
 * @param isNew true for a new account: the current role is not added to the choices, and the approval shows no
 * hint about an unsaved change
 * @param state the last row, with the state of the account and its one-click changes; none for a new account
 */
export function AdminCard({ isNew = false, state }: { isNew?: boolean; state?: ReactNode }) {
  const { fields, users } = usePortalMessages()
  const { formState } = useFormContext<UserFormValues>()
  const affiliation = useWatch<UserFormValues, 'affiliationCode'>({ name: 'affiliationCode' })
  return (
    <Card title={users.detail.adminInput}>
      <FormGrid>
        <ValidityFields isRequired />
        <PartnerSelect name="partnerCode" label={fields.partnerCode} affiliation={affiliation} />
        <BoundSelect<UserFormValues>
          name="roleCode"
          label={fields.roleCode}
          choices={useRoles(isNew ? undefined : formState.defaultValues?.roleCode)}
          fallbackLabel={formState.defaultValues?.roleCode}
          isRequired
        />
        <ApprovalField isNew={isNew} />
        {state}
      </FormGrid>
    </Card>
  )
}

/**
 * Shows the approval as a badge, and a button that toggles it in the form only; the form sends it on save
 * (rules/users#approval-toggle). Shows a hint while it differs from the saved one. An approval proposes a validity period
 * if the form has none.
 */
function ApprovalField({ isNew }: { isNew: boolean }) {
  const { fields, users } = usePortalMessages()
  const t = users.form
  const { setValue, getValues, formState } = useFormContext<UserFormValues>()
  const code = useWatch<UserFormValues, 'approvalCode'>({ name: 'approvalCode' })
  const isApproved = code === APPROVAL.approved
  const isChanged = !isNew && code !== formState.defaultValues?.approvalCode

  function toggle(): void {
    setValue('approvalCode', isApproved ? APPROVAL.notApproved : APPROVAL.approved, { shouldDirty: true })
    if (isApproved || getValues('validFrom') || getValues('validTo')) return
    const { validFrom, validTo } = proposedValidity()
    setValue('validFrom', validFrom, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    setValue('validTo', validTo, { shouldDirty: true, shouldValidate: formState.isSubmitted })
  }

  return (
    <FieldRow label={fields.approvalCode} isRequired isWide>
      <div className={layout.row}>
        <output>
          <Badge tone={isApproved ? 'positive' : 'warning'}>{isApproved ? t.approved : t.notApproved}</Badge>
        </output>
        <Button size="small" onClick={toggle}>
          <Sentence>{t.approvalChange}</Sentence>
        </Button>
        {isChanged && <span className={layout.hint}>{t.approvalUnsaved}</span>}
      </div>
    </FieldRow>
  )
}
