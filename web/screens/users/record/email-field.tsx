import { useWatch } from 'react-hook-form'
import { email as rule } from '../../../../contract/fields.ts'
import { checkEmail } from '../../../../contract/users.ts'
import { call } from '../../../api/client.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { FocusLeave } from '../../../forms/focus-leave.tsx'
import { useAvailabilityCheck } from '../../../forms/use-availability-check.ts'

interface Props {
  label: string
  /** True to focus the field when the page opens. */
  isFirst?: boolean
}

/**
 * Shows the field for another user's email address, in a form with `email`. Reports an address in use (`checkEmail`,
 * EMAIL_TAKEN) as an error when the focus leaves the field (rules/users#availability-check).
 */
export function EmailOfPerson({ label, isFirst = false }: Props) {
  const availability = useAvailabilityCheck(useWatch<{ email: string }, 'email'>({ name: 'email' }), {
    rule,
    code: 'EMAIL_TAKEN',
    check: (email) => call(checkEmail, { email }, { inline: 'everything' }),
  })
  return (
    <FocusLeave onLeave={availability.checkOnLeave}>
      <BoundText<{ email: string }>
        name="email"
        label={label}
        type="email"
        inputMode="email"
        autoComplete="off"
        isRequired
        ownError={availability.message}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={isFirst}
      />
    </FocusLeave>
  )
}
