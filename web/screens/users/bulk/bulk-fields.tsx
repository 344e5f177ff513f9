import { useFormContext, useWatch } from 'react-hook-form'
import { CODE_GROUP } from '../../../../contract/common.ts'
import { REASON_MAX, SUSPENDED_FOR, type BulkAction, type bulkFields } from '../../../../contract/users.ts'
import { BoundDate, BoundSelect, BoundText } from '../../../forms/bound-fields.tsx'
import { fixedChoices, useCodes } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { useRoles } from '../search/lists.ts'
import { PartnerSelect } from '../record/partner-select.tsx'

type FieldOf<Action> = Action extends BulkAction ? keyof (typeof bulkFields)[Action] : never

/** The fields of all bulk actions; a form has those of its action. */
export type BulkValues = Partial<Record<FieldOf<BulkAction>, string | undefined>>

/** The form fields of a bulk action, inside a `Form` of its schema. */
export function BulkFields({ action }: { action: BulkAction }) {
  const { fields } = usePortalMessages()
  switch (action) {
    case 'extend':
      return <BoundDate<BulkValues> name="validTo" label={fields.validTo} isRequired />
    case 'role':
      return <RoleField />
    case 'move':
      return <MoveFields />
    case 'suspend':
      return <SuspendFields />
    case 'lift':
      return <LiftField />
    case 'restore':
      return null
    case 'withdraw':
      return (
        <BoundText<BulkValues>
          name="withdrawnReason"
          label={fields.withdrawnReason}
          maxLength={REASON_MAX}
          autoComplete="off"
        />
      )
  }
}

function LiftField() {
  const t = usePortalMessages().users.account
  return (
    <BoundText<BulkValues>
      name="reason"
      label={t.reason}
      description={t.reasonHint}
      maxLength={REASON_MAX}
      autoComplete="off"
    />
  )
}

function RoleField() {
  const { fields } = usePortalMessages()
  return <BoundSelect<BulkValues> name="roleCode" label={fields.roleCode} choices={useRoles()} isRequired />
}

function MoveFields() {
  const { fields } = usePortalMessages()
  const { setValue } = useFormContext<BulkValues>()
  const affiliation = useWatch<BulkValues, 'affiliationCode'>({ name: 'affiliationCode' })
  return (
    <>
      <BoundSelect<BulkValues>
        name="affiliationCode"
        label={fields.affiliationCode}
        choices={useCodes(CODE_GROUP.affiliation)}
        onChanged={() => setValue('partnerCode', '')}
        isRequired
      />
      <PartnerSelect name="partnerCode" label={fields.partnerCode} affiliation={affiliation ?? ''} />
    </>
  )
}

function SuspendFields() {
  const t = usePortalMessages().users.account
  const { trigger } = useFormContext<BulkValues>()
  return (
    <>
      <BoundSelect<BulkValues>
        name="suspendedFor"
        label={t.suspend.why}
        choices={fixedChoices(
          Object.values(SUSPENDED_FOR).map((value) => ({ value, label: t.suspendedFor[value] })),
        )}
        isRequired
        // Only 'other' requires a reason.
        onChanged={() => void trigger('reason')}
      />
      <BoundText<BulkValues>
        name="reason"
        label={t.suspend.words}
        description={t.reasonHint}
        maxLength={REASON_MAX}
        autoComplete="off"
      />
    </>
  )
}
