import { useState, type HTMLInputAutoCompleteAttribute, type ReactNode, type Ref } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { EyeIcon, EyeOffIcon } from './core-icons.tsx'
import styles from './input.module.css'
import { useCleanedInput } from './use-cleaned-input.ts'

/**
 * Props of a text field. Fits react-hook-form: `<TextField {...field} label=… errorMessage=… />` in a
 * Controller.
 */
export interface TextFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  /**
   * Returns the accepted part of typed or pasted text, e.g. its digits. Not called during input-method composition: changing the
   * text then would insert it twice.
   */
  clean?: ((typed: string) => string) | undefined
  type?: 'text' | 'password' | 'email' | 'tel' | 'search' | 'number' | undefined
  /** For type password: names of the button that shows and hides it; without them there is no such button. */
  reveal?: { show: string; hide: string } | undefined
  autoComplete?: HTMLInputAutoCompleteAttribute | undefined
  inputMode?: 'text' | 'numeric' | 'tel' | 'email' | 'search' | undefined
  maxLength?: number | undefined
  /** True to focus the field when the screen opens: only where users expect it, as on the login page. */
  autoFocus?: boolean | undefined
  /** Content inside the input at its right end, e.g. a countdown. */
  trailing?: ReactNode
  /** A control next to the input, such as the duplicate-check button. */
  action?: ReactNode
  /** The input element, so that a form can put the focus on its first error. */
  ref?: Ref<HTMLInputElement> | undefined
}

/**
 * Shows a labeled single-line text field with a message line, an optional button, and a show/hide button for passwords.
 */
export function TextField(props: TextFieldProps) {
  const {
    type = 'text',
    reveal,
    autoComplete,
    inputMode,
    maxLength,
    autoFocus,
    trailing,
    action,
    ref,
  } = props
  const typing = useCleanedInput(props)
  const [isShown, setShown] = useState(false)
  const canReveal = type === 'password' && reveal !== undefined

  return (
    <Field {...props}>
      {({ native }) => (
        <>
          <span className={styles.box}>
            <input
              {...native}
              ref={ref}
              className={styles.input}
              type={canReveal && isShown ? 'text' : type}
              {...typing}
              autoComplete={autoComplete}
              inputMode={inputMode}
              maxLength={maxLength}
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus={autoFocus}
              spellCheck={false}
              autoCapitalize="none"
            />
            {trailing !== undefined && <span className={styles.trailing}>{trailing}</span>}
            {canReveal && (
              <button
                type="button"
                className={styles.inner}
                aria-label={isShown ? reveal.hide : reveal.show}
                aria-controls={native.id}
                disabled={native.disabled}
                onClick={() => setShown(!isShown)}
              >
                {isShown ? <EyeOffIcon /> : <EyeIcon />}
              </button>
            )}
          </span>
          {action}
        </>
      )}
    </Field>
  )
}
