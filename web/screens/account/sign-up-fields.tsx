import { useId, type ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { CODE_GROUP } from '../../../contract/common.ts'
import { useMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { IdField } from '../../forms/id-field.tsx'
import type { IdCheck } from '../../forms/use-id-check.ts'
import { useChoiceWords, useCodes } from '../../forms/choices.ts'
import { CertificationField, EmailField } from './certification-field.tsx'
import { PasswordRules } from './password-rules.tsx'
import type { SignUpForm } from './sign-up-form.ts'
import styles from './sign-up.module.css'
import type { Certification } from './use-certification.ts'

interface Props {
  certification: Certification
}

/** The ID with its check, and the password twice beside its rules. */
export function AccountSection({ certification, idCheck }: Props & { idCheck: IdCheck }) {
  const t = useMessages().account
  const { getFieldState, trigger } = useFormContext<SignUpForm>()
  const reveal = { show: t.showPassword, hide: t.hidePassword }

  /** The confirmation is about the password, so it is looked at again when that one changes. */
  function recheckConfirmation(): void {
    if (getFieldState('confirmation').isTouched) void trigger('confirmation')
  }

  return (
    <Section title={t.accountSection}>
      <div className={styles.columns}>
        <FormGrid columns={1} labels="top">
          <IdField
            idCheck={idCheck}
            hint={t.idHint}
            isReadOnly={certification.isLocked('userId')}
            autoComplete="username"
            isFirst
          />
          <BoundText<SignUpForm>
            name="password"
            label={t.password}
            type="password"
            autoComplete="new-password"
            reveal={reveal}
            isRequired
            isReadOnly={certification.isLocked('password')}
            onChanged={recheckConfirmation}
          />
          <BoundText<SignUpForm>
            name="confirmation"
            label={t.passwordAgain}
            type="password"
            autoComplete="new-password"
            reveal={reveal}
            isRequired
            isReadOnly={certification.isLocked('confirmation')}
          />
        </FormGrid>
        <TypedPasswordRules />
      </div>
    </Section>
  )
}

/** Who signs up, and the e-mail with its certification beside it. */
export function PersonSection({ certification }: Props) {
  const { account: t, fields, forms } = useMessages()
  return (
    <Section title={t.personSection}>
      <FormGrid labels="top">
        <AffiliationField isReadOnly={certification.isLocked('affiliationCode')} />
        <BoundText<SignUpForm>
          name="position"
          label={t.rank}
          autoComplete="organization-title"
          isRequired
          isReadOnly={certification.isLocked('position')}
        />
        <BoundText<SignUpForm>
          name="name"
          label={fields.name}
          autoComplete="name"
          isRequired
          isReadOnly={certification.isLocked('name')}
        />
        <BoundText<SignUpForm>
          name="phoneNumber"
          label={fields.phoneNumber}
          type="tel"
          inputMode="numeric"
          autoComplete="tel-national"
          description={certification.isSent ? undefined : forms.phoneHint}
          isRequired
          isReadOnly={certification.isLocked('phoneNumber')}
        />
        <EmailField certification={certification} hint={t.emailHint} />
        {certification.isSent && <CertificationField certification={certification} hint={t.codeSent} />}
      </FormGrid>
    </Section>
  )
}

/** The affiliations are public; when they cannot be loaded, they can be asked for again in place. */
function AffiliationField({ isReadOnly }: { isReadOnly: boolean }) {
  const { fields, forms, lists } = useMessages()
  const affiliations = useCodes(CODE_GROUP.affiliation)
  return (
    <BoundSelect<SignUpForm>
      {...useChoiceWords(affiliations)}
      name="affiliationCode"
      label={fields.affiliationCode}
      options={affiliations.options}
      isLoading={affiliations.isLoading}
      isRequired
      isReadOnly={isReadOnly}
      description={
        affiliations.isFailed && (
          <span className={styles.failed} role="alert">
            {forms.listFailed}
            <Button variant="quiet" size="small" onClick={affiliations.retry}>
              {lists.retry}
            </Button>
          </span>
        )
      }
    />
  )
}

function TypedPasswordRules() {
  const [password, confirmation, userId, phoneNumber, email] = useWatch<
    SignUpForm,
    ['password', 'confirmation', 'userId', 'phoneNumber', 'email']
  >({ name: ['password', 'confirmation', 'userId', 'phoneNumber', 'email'] })
  const person = { userId, phoneNumber, email }
  return <PasswordRules password={password} confirmation={confirmation} person={person} isFirst />
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
