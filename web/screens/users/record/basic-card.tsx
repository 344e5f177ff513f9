import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { plainPhone } from '../../../../contract/fields.ts'
import { CODE_GROUP } from '../../../../contract/common.ts'
import { type Choices, useCodes } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormGrid } from '../../../ui/form-grid.tsx'
import { BoundSelect, BoundText } from '../../../forms/bound-fields.tsx'
import { IdField } from '../../../forms/id-field.tsx'
import type { IdCheck } from '../../../forms/use-id-check.ts'
import { AffiliationHelp } from '../../affiliations/help.tsx'
import { EmailOfPerson } from './email-field.tsx'
import type { UserFormValues } from './form-values.ts'
import layout from '../../../ui/layout.module.css'

interface Props {
  idCheck: IdCheck
  /** Name of the saved affiliation, in case the list no longer contains its code. */
  savedAffiliation?: string | undefined
  /** The partner code of the admin card depends on it. */
  onAffiliationChanged?: (() => void) | undefined
  /** True only while a user is being registered (rules/users#e-mail). */
  canEditEmail?: boolean | undefined
  /** True if the viewer manages other users. Then missing records can be created from here. */
  leadsOn?: boolean | undefined
  /** Another affiliation than the saved one has to be approved (rules/users#affiliation-change). */
  isAskedFor?: boolean | undefined
  /** Content after the fields: the password of a new user. */
  children?: ReactNode
}

/** The card 'basic info' of the user form (rules/users#basic-card); inside a `Form` of `UserFormValues`. */
export function BasicCard(props: Props) {
  const { idCheck, savedAffiliation, onAffiliationChanged, canEditEmail = false, leadsOn = false } = props
  const { account, fields, forms, users } = usePortalMessages()
  const t = users.form
  const { setValue, clearErrors } = useFormContext<UserFormValues>()
  const chosen = useWatch<UserFormValues, 'affiliationCode'>({ name: 'affiliationCode' })
  const asksForApproval = props.isAskedFor === true && chosen !== savedAffiliation
  const affiliations = useCodes(CODE_GROUP.affiliation)
  const closedName = useClosedName(affiliations, savedAffiliation)
  return (
    <Card title={users.detail.basicInfo}>
      <FormGrid>
        <IdField idCheck={idCheck} hint={canEditEmail ? account.idHint : undefined} />
        <div>
          <BoundSelect<UserFormValues>
            name="affiliationCode"
            label={fields.affiliationCode}
            choices={affiliations}
            fallbackLabel={closedName}
            onChanged={onAffiliationChanged}
            description={asksForApproval && <span aria-live="polite">{t.affiliationAsked}</span>}
            isRequired
          />
          {leadsOn && canEditEmail && (
            <div className={layout.underField}>
              <AffiliationHelp
                onMade={(code) => {
                  setValue('affiliationCode', code, { shouldDirty: true })
                  clearErrors('affiliationCode')
                  onAffiliationChanged?.()
                }}
              />
            </div>
          )}
        </div>
        <BoundText<UserFormValues> name="position" label={fields.position} isRequired />
        <BoundText<UserFormValues> name="name" label={fields.name} isRequired />
        <BoundText<UserFormValues>
          name="phoneNumber"
          label={fields.phoneNumber}
          type="tel"
          inputMode="tel"
          clean={plainPhone}
          description={forms.phoneHint}
          isRequired
        />
        {canEditEmail ? (
          <EmailOfPerson label={fields.email} />
        ) : (
          <BoundText<UserFormValues>
            name="email"
            label={fields.email}
            type="email"
            isReadOnly
            description={leadsOn ? t.emailCorrected : t.emailReadOnly}
            isRequired
          />
        )}
        {props.children}
      </FormGrid>
    </Card>
  )
}

/** Returns the name of a saved affiliation that is closed: not selectable, but still the user's. */
function useClosedName({ options, isLoading }: Choices, saved: string | undefined): string | undefined {
  const isKnown = saved === undefined || isLoading || options.some(({ value }) => value === saved)
  const all = useCodes(CODE_GROUP.affiliation, true, !isKnown)
  return all.options.find(({ value }) => value === saved)?.label ?? saved
}
