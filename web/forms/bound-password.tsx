import { useFormContext, type FieldValues } from 'react-hook-form'
import { usePortalMessages } from '../language.tsx'
import type { TextFieldProps } from '../ui/text-field.tsx'
import { BoundText, type Bound } from './bound-text.tsx'

type Props<Values extends FieldValues> = Bound<Values> &
  Pick<TextFieldProps, 'label' | 'isReadOnly' | 'autoFocus' | 'description'> & {
    /** One that is chosen now; otherwise the person's own. */
    isNew?: boolean
    isOptional?: boolean
  }

/** A password of the form around it, with the button that shows it. */
export function BoundPassword<Values extends FieldValues>({
  isNew = false,
  isOptional = false,
  ...props
}: Props<Values>) {
  const t = usePortalMessages().account
  return (
    <BoundText<Values>
      {...props}
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      reveal={{ show: t.showPassword, hide: t.hidePassword }}
      isRequired={!isOptional}
    />
  )
}

interface PairProps {
  /** The password's field; the other one is called `confirmation`. */
  name: 'password' | 'newPassword'
  labels: readonly [password: string, confirmation: string]
  isLocked?: (name: string) => boolean
  /** What happens without one, where it may be left out. */
  withoutText?: string | undefined
}

/** A new password, twice. The confirmation is about the password: it is looked at again when that one changes. */
export function NewPasswordFields({ name, labels, isLocked = () => false, withoutText }: PairProps) {
  const { getFieldState, trigger } = useFormContext()
  return (
    <>
      <BoundPassword
        isNew
        isOptional={withoutText !== undefined}
        description={withoutText}
        name={name}
        label={labels[0]}
        isReadOnly={isLocked(name)}
        onChanged={() => {
          if (getFieldState('confirmation').isTouched) void trigger('confirmation')
        }}
      />
      <BoundPassword
        isNew
        isOptional={withoutText !== undefined}
        name="confirmation"
        label={labels[1]}
        isReadOnly={isLocked('confirmation')}
      />
    </>
  )
}
