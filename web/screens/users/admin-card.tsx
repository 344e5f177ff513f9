import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { APPROVAL } from '../../../contract/users.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FieldRow } from '../../ui/field.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { BoundDate, BoundSelect } from '../../forms/bound-fields.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import layout from '../../ui/layout.module.css'
import type { UserFormValues } from './form-values.ts'
import { useChoiceWords } from '../../forms/choices.ts'
import { usePartnersOf, useRoles } from './lists.ts'

/**
/**
 * The card 'admin input' of the user form (rules/users#admin-card); inside a `FormProvider` of `UserFormValues`.
 * @param isNew the account is about to be made: there is nothing saved that an approval would differ from
 * @param state the last row: what the account is by now, and what one click changes
 */
export function AdminCard({ isNew = false, state }: { isNew?: boolean; state?: ReactNode }) {
  const { fields, users } = usePortalMessages()
  const { language } = useLanguage()
  const { trigger, getValues, formState } = useFormContext<UserFormValues>()
  const roles = useRoles()
  const date = { locale: language === 'ko' ? 'ko-KR' : 'en-US', calendarLabel: users.detail.calendar }
  return (
    <Card title={users.detail.adminInput}>
      <FormGrid>
        <BoundDate<UserFormValues>
          {...date}
          name="validFrom"
          label={fields.validFrom}
          onChanged={() => {
            // The order of the two dates is told at the end date.
            if (getValues('validTo') !== '') void trigger('validTo')
          }}
          isRequired
        />
        <BoundDate<UserFormValues> {...date} name="validTo" label={fields.validTo} isRequired />
        <PartnerField />
        <BoundSelect<UserFormValues>
          {...useChoiceWords(roles)}
          name="roleCode"
          label={fields.roleCode}
          options={roles.options}
          isLoading={roles.isLoading}
          fallbackLabel={formState.defaultValues?.roleCode}
          isRequired
        />
        <ApprovalField isNew={isNew} />
        {state}
      </FormGrid>
    </Card>
  )
}

/** The partner codes of the chosen affiliation; says what to do where there are none. */
function PartnerField() {
  const { fields, users } = usePortalMessages()
  const t = users.form
  const [affiliation, chosen] = useWatch<UserFormValues, ['affiliationCode', 'partnerCode']>({
    name: ['affiliationCode', 'partnerCode'],
  })
  const partners = usePartnersOf(affiliation)
  const words = useChoiceWords(partners)
  const isNone =
    affiliation !== '' && !partners.isLoading && !partners.isFailed && partners.options.length === 0
  return (
    <BoundSelect<UserFormValues>
      {...words}
      placeholder={isNone ? t.noPartnersShort : words.placeholder}
      emptyLabel={affiliation === '' ? t.chooseAffiliationFirst : words.emptyLabel}
      name="partnerCode"
      label={fields.partnerCode}
      options={partners.options}
      isLoading={partners.isLoading}
      fallbackLabel={chosen}
      description={isNone ? t.noPartners : affiliation === '' ? t.chooseAffiliationFirst : undefined}
      requiredText={isNone ? t.noPartners : undefined}
      isRequired
    />
  )
}

/** Approval is toggled here and sent on save (rules/users#approval-toggle). */
function ApprovalField({ isNew }: { isNew: boolean }) {
  const { fields, users } = usePortalMessages()
  const t = users.form
  const { setValue, formState } = useFormContext<UserFormValues>()
  const code = useWatch<UserFormValues, 'approvalCode'>({ name: 'approvalCode' })
  const isApproved = code === APPROVAL.approved
  const isChanged = !isNew && code !== formState.defaultValues?.approvalCode

  function toggle(): void {
    setValue('approvalCode', isApproved ? APPROVAL.notApproved : APPROVAL.approved, { shouldDirty: true })
  }

  return (
    <FieldRow label={fields.approvalCode} isRequired isWide>
      <div className={layout.row}>
        <output>
          <Badge tone={isApproved ? 'positive' : 'neutral'}>{isApproved ? t.approved : t.notApproved}</Badge>
        </output>
        <Button size="small" onClick={toggle}>
          <Sentence>{t.approvalChange}</Sentence>
        </Button>
        {isChanged && <span className={layout.hint}>{t.approvalUnsaved}</span>}
      </div>
    </FieldRow>
  )
}
