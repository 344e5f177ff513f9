import type { ReactNode } from 'react'
import { CODE_GROUP } from '../../../contract/common.ts'
import { useCodes } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { IdField } from '../../forms/id-field.tsx'
import type { IdCheck } from '../../forms/use-id-check.ts'
import type { UserFormValues } from './form-values.ts'

interface Props {
  idCheck: IdCheck
  /** The name of the saved affiliation's code, should the list know it no more. */
  savedAffiliation?: string | undefined
  /** The partner code of the admin card depends on it. */
  onAffiliationChanged?: (() => void) | undefined
  /** Only while a user is registered (rules/users#e-mail). */
  canEditEmail?: boolean | undefined
  /** After the fields: the password of somebody who is registered. */
  children?: ReactNode
}

/** The card 'basic info' of the user form (rules/users#basic-card); inside a `Form` of `UserFormValues`. */
export function BasicCard(props: Props) {
  const { idCheck, savedAffiliation, onAffiliationChanged, canEditEmail = false, children } = props
  const { account, fields, forms, users } = usePortalMessages()
  const t = users.form
  return (
    <Card title={users.detail.basicInfo}>
      <FormGrid>
        <IdField idCheck={idCheck} hint={canEditEmail ? account.idHint : undefined} />
        <BoundSelect<UserFormValues>
          name="affiliationCode"
          label={fields.affiliationCode}
          choices={useCodes(CODE_GROUP.affiliation)}
          fallbackLabel={savedAffiliation}
          onChanged={onAffiliationChanged}
          isRequired
        />
        <BoundText<UserFormValues> name="position" label={fields.position} isRequired />
        <BoundText<UserFormValues> name="name" label={fields.name} isRequired />
        <BoundText<UserFormValues>
          name="phoneNumber"
          label={fields.phoneNumber}
          type="tel"
          inputMode="numeric"
          description={forms.phoneHint}
          isRequired
        />
        <BoundText<UserFormValues>
          name="email"
          label={fields.email}
          type="email"
          isReadOnly={!canEditEmail}
          description={canEditEmail ? undefined : t.emailReadOnly}
          isRequired
        />
        {children}
      </FormGrid>
    </Card>
  )
}
