import { useId, type ReactNode } from 'react'
import { PositionField } from '../../forms/position-field.tsx'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { NewPasswordFields } from '../../forms/bound-password.tsx'
import { BoundPhone } from '../../forms/bound-phone.tsx'
import { IdField } from '../../forms/id-field.tsx'
import type { IdCheck } from '../../forms/use-id-check.ts'
import { useAffiliations } from '../../forms/choices.ts'
import { CertificationField, EmailField } from './verification-field.tsx'
import { PasswordRules } from './password-rules.tsx'
import type { SignUpForm } from './sign-up-form.ts'
import styles from './sign-up.module.css'
import type { Certification } from './use-verification.ts'

/** The email verification of the form. */
interface Props {
  certification: Certification
}

/**
 * Shows the fields of the sign-up for the ID, with its availability check, and the password, with the password rules.
 */
export function AccountSection({ certification, idCheck }: Props & { idCheck: IdCheck }) {
  const t = usePortalMessages().account
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
          <NewPasswordFields
            name="password"
            labels={[t.password, t.passwordAgain]}
            isLocked={certification.isLocked}
          />
        </FormGrid>
        <PasswordRules name="password" />
      </div>
    </Section>
  )
}

/** Shows the fields of the sign-up for the user's personal data, and the email address with its verification code. */
export function PersonSection({ certification }: Props) {
  const { account: t, fields } = usePortalMessages()
  return (
    <Section title={t.personSection}>
      <FormGrid labels="top">
        <BoundSelect<SignUpForm>
          name="affiliationCode"
          label={fields.affiliationCode}
          choices={useAffiliations()}
          isRequired
          isReadOnly={certification.isLocked('affiliationCode')}
        />
        <PositionField<SignUpForm>
          label={t.rank}
          autoComplete="organization-title"
          isReadOnly={certification.isLocked('position')}
        />
        <BoundText<SignUpForm>
          name="name"
          label={fields.name}
          autoComplete="name"
          isRequired
          isReadOnly={certification.isLocked('name')}
        />
        <BoundPhone<SignUpForm>
          name="phoneNumber"
          autoComplete="tel-national"
          isPlain={certification.isSent}
          isReadOnly={certification.isLocked('phoneNumber')}
        />
        <EmailField certification={certification} hint={t.emailHint} />
        {certification.isSent && <CertificationField certification={certification} hint={t.codeSent} />}
      </FormGrid>
    </Section>
  )
}

/** Shows fields under a heading. */
function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
