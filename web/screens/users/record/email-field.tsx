import { useWatch } from 'react-hook-form'
import { email as rule } from '../../../../contract/fields.ts'
import { checkEmail } from '../../../../contract/users.ts'
import { call } from '../../../api/client.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { Leaving } from '../../../forms/leaving.tsx'
import { useTaken } from '../../../forms/use-taken.ts'

interface Props {
  label: string
  /** A person comes to type this. */
  isFirst?: boolean
}

/**
 * The address of somebody else, for those who register or correct people: one that is in use is told when the field is left
 * (rules/users#taken-at-the-field). Inside a form with `email`.
 */
export function EmailOfPerson({ label, isFirst = false }: Props) {
  const taken = useTaken(useWatch<{ email: string }, 'email'>({ name: 'email' }), {
    rule,
    code: 'EMAIL_TAKEN',
    ask: (email) => call(checkEmail, { email }, { inline: 'everything' }),
  })
  return (
    <Leaving onLeft={taken.look}>
      <BoundText<{ email: string }>
        name="email"
        label={label}
        type="email"
        inputMode="email"
        autoComplete="off"
        isRequired
        ownError={taken.message}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={isFirst}
      />
    </Leaving>
  )
}
