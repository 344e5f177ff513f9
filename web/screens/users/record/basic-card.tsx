import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { type Choices, useAffiliations } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormGrid } from '../../../ui/form-grid.tsx'
import { BoundSelect, BoundText } from '../../../forms/bound-fields.tsx'
import { BoundPhone } from '../../../forms/bound-phone.tsx'
import { PositionField } from '../../../forms/position-field.tsx'
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
  /** Called when the affiliation changes, because the partner code of the admin card depends on it. */
  onAffiliationChanged?: (() => void) | undefined
  /** True only while a user is being registered (rules/users#e-mail). */
  canEditEmail?: boolean | undefined
  /** True if the viewer manages other users. Then missing records can be created from here. */
  leadsOn?: boolean | undefined
  /** True if a change of the affiliation requires approval (rules/users#affiliation-change). */
  isAskedFor?: boolean | undefined
  /** True if others maintain name and position (rules/users#name-and-position). */
  isProfileReadOnly?: boolean | undefined
  /** The fields of the teams. */
  teams?: ReactNode
  /** Content after the fields: the password of a new user. */
  children?: ReactNode
}

/**
 * Shows the card 'basic info' of the user form: ID, affiliation, position, name, phone number and email
 * (rules/users#basic-card). The email is read-only except for a new user. For a new user, a missing affiliation can be
 * created here. Must be inside a `Form` of `UserFormValues`.
 */
export function BasicCard(props: Props) {
  const { idCheck, savedAffiliation, onAffiliationChanged, canEditEmail = false, leadsOn = false } = props
  const { account, fields, users } = usePortalMessages()
  const t = users.form
  const { setValue, clearErrors } = useFormContext<UserFormValues>()
  const chosen = useWatch<UserFormValues, 'affiliationCode'>({ name: 'affiliationCode' })
  const asksForApproval = props.isAskedFor === true && chosen !== savedAffiliation
  // An own change of affiliation is a request, which any affiliation may be in.
  const affiliations = useAffiliations({ isWhole: !leadsOn })
  const closedName = useClosedName(affiliations, savedAffiliation)
  const profile = props.isProfileReadOnly ? { isReadOnly: true, description: t.profileReadOnly } : {}
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
        <PositionField<UserFormValues> label={fields.position} {...profile} />
        <BoundText<UserFormValues> name="name" label={fields.name} isRequired {...profile} />
        <BoundPhone<UserFormValues> name="phoneNumber" />
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
        {props.teams}
        {props.children}
      </FormGrid>
    </Card>
  )
}

/**
 * Returns the name of a saved affiliation that is closed: not selectable, but still the user's. Returns its code until
 * the name is known, and undefined without a saved affiliation.
 */
function useClosedName({ options, isLoading }: Choices, saved: string | undefined): string | undefined {
  const isKnown = saved === undefined || isLoading || options.some(({ value }) => value === saved)
  const all = useAffiliations({ includeAll: true, isWhole: true, isEnabled: !isKnown })
  return all.options.find(({ value }) => value === saved)?.label ?? saved
}
