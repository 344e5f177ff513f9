import { NewPasswordFields } from '../../../forms/bound-password.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { MailMissing } from './mail-missing.tsx'
import { PasswordRules } from '../../account/password-rules.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'

/**
 * The password of somebody who is registered, twice or not at all (rules/users#invitation), with the rules of sign-up (rules/account#password-rules); inside a
 * `FormGrid`.
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
