import { useFormContext, useWatch } from 'react-hook-form'
import { BoundText } from '../../forms/bound-text.tsx'
import { usePortalMessages } from '../../language.tsx'
import { PasswordRules } from '../account/password-rules.tsx'
import layout from '../../ui/layout.module.css'
import type { RegisterValues } from './register-values.ts'

/**
 * The password of somebody who is registered, twice, with the rules of sign-up (rules/account#password-rules); inside a
 * `FormGrid`.
 */
export function FirstPassword() {
  const t = usePortalMessages().account
  const { getFieldState, trigger } = useFormContext<RegisterValues>()
  const field = {
    type: 'password',
    autoComplete: 'new-password',
    reveal: { show: t.showPassword, hide: t.hidePassword },
    isRequired: true,
  } as const

  /** The confirmation is about the password, so it is looked at again when that one changes. */
  function recheckConfirmation(): void {
    if (getFieldState('confirmation').isTouched) void trigger('confirmation')
  }

  return (
    <>
      <BoundText<RegisterValues>
        {...field}
        name="password"
        label={t.password}
        onChanged={recheckConfirmation}
      />
      <BoundText<RegisterValues> {...field} name="confirmation" label={t.passwordAgain} />
      <div className={layout.fullRow}>
        <TypedPasswordRules />
      </div>
    </>
  )
}

/** Follows what is typed without drawing the whole card anew. */
function TypedPasswordRules() {
  const { ruleCheckedOnRegistration } = usePortalMessages().account
  const [password, confirmation, userId, phoneNumber, email] = useWatch<
    RegisterValues,
    ['password', 'confirmation', 'userId', 'phoneNumber', 'email']
  >({ name: ['password', 'confirmation', 'userId', 'phoneNumber', 'email'] })
  return (
    <PasswordRules
      password={password}
      confirmation={confirmation}
      person={{ userId, phoneNumber, email }}
      isFirst
      laterText={ruleCheckedOnRegistration}
      columns={2}
    />
  )
}
