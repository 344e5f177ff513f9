import { NewPasswordFields } from '../../../forms/bound-password.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { MailMissing } from './mail-missing.tsx'
import { PasswordRules } from '../../account/password-rules.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'

/**
 * The optional password of a new user, with repetition (rules/users#invitation) and the rules of sign-up
 * (rules/account#password-rules). Must be inside a `FormGrid`.
 */
export function FirstPassword() {
  const { account: t, users } = usePortalMessages()
  return (
    <>
      <NewPasswordFields
        name="password"
        labels={[t.password, t.passwordAgain]}
        withoutText={users.register.withoutPassword}
      />
      <div className={classes(layout.fullRow, layout.stack)}>
        <MailMissing />
        <PasswordRules name="password" laterText={t.ruleCheckedOnRegistration} columns={2} />
      </div>
    </>
  )
}
