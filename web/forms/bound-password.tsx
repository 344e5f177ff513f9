import { useFormContext, type FieldValues } from 'react-hook-form'
import { usePortalMessages } from '../language.tsx'
import type { TextFieldProps } from '../ui/text-field.tsx'
import { BoundText, type BoundFieldProps } from './bound-text.tsx'

/** Props of a bound password field. */
type Props<Values extends FieldValues> = BoundFieldProps<Values> &
  Pick<TextFieldProps, 'label' | 'isReadOnly' | 'autoFocus' | 'description'> & {
    /** True for a new password. By default the field is for the user's current password. */
    isNew?: boolean
    isOptional?: boolean
  }

/** Shows a password field of the surrounding form, with a button that shows the password. */
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

/** Props of the fields of a new password. */
interface PairProps {
  /** Name of the password field. The second field is called `confirmation`. */
  name: 'password' | 'newPassword'
  labels: readonly [password: string, confirmation: string]
  /** Returns whether a field is read-only; by default none is. */
  isLocked?: (name: string) => boolean
  /** Explains what happens if an optional password is left empty. */
  withoutText?: string | undefined
  /** True if the password gets the focus when the screen opens. */
  isFirst?: boolean
}

/**
 * Shows the fields of a new password and its repetition. A change of the password validates the repetition again,
 * once it was visited. With `withoutText` both are optional.
 */
export function NewPasswordFields({ name, labels, isLocked = () => false, withoutText, isFirst }: PairProps) {
  const { getFieldState, trigger } = useFormContext()
  return (
    <>
      <BoundPassword
        isNew
        isOptional={withoutText !== undefined}
        description={withoutText}
        name={name}
        label={labels[0]}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the caller says so
        autoFocus={isFirst}
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
