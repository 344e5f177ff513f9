import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './field.module.css'
import layout from './layout.module.css'
import { classes } from './classes.ts'

/** Properties of every field. */
export interface FieldProps {
  label: string
  /** A hint under the field. An error replaces it. */
  description?: ReactNode
  /** The error of the field. Its line is reserved, so that nothing moves when it appears. */
  errorMessage?: string | undefined
  /** Marks the label as required. The form must check the value. */
  isRequired?: boolean | undefined
  isDisabled?: boolean | undefined
  isReadOnly?: boolean | undefined
  name?: string | undefined
  placeholder?: string | undefined
  onBlur?: (() => void) | undefined
  /** True to fill a whole row of its `FormGrid`. */
  isWide?: boolean | undefined
}

/** The IDs that connect a control to its label and message, and the properties that a native control takes from its field. */
interface FieldControl {
  labelId: string
  messageId: string | undefined
  isInvalid: boolean
  native: Pick<
    ComponentProps<'input'>,
    | 'id'
    | 'name'
    | 'placeholder'
    | 'disabled'
    | 'readOnly'
    | 'aria-describedby'
    | 'aria-invalid'
    | 'aria-required'
  > & { onBlur: (() => void) | undefined }
}

/** Properties of the field and its control. */
interface ShellProps extends FieldProps {
  /** For a control that no `<label for>` can name: called when the label is clicked. */
  onLabelClick?: (() => void) | undefined
  children: (control: FieldControl) => ReactNode
}

/**
 * Lays out label, control and message line in the same way for all fields. An error replaces the description and is
 * announced.
 */
export function Field(props: ShellProps) {
  const { label, description, errorMessage, isRequired, isDisabled, isWide, onLabelClick, children } = props
  const id = useId()
  const labelId = `${id}-label`
  const messageId = `${id}-message`
  const isInvalid = Boolean(errorMessage)
  const message = errorMessage || description
  const labelProps = {
    id: labelId,
    className: classes(styles.label, isRequired && styles.required),
    children: <span className={styles.labelText}>{label}</span>,
  }
  return (
    <div className={classes(styles.field, isWide && layout.fullRow)} data-disabled={isDisabled || undefined}>
      {onLabelClick ? (
        // A convenience for the mouse; the keyboard reaches the control itself.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span {...labelProps} onClick={onLabelClick} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control
        <label {...labelProps} htmlFor={id} />
      )}
      <div className={styles.control}>
        {children({
          labelId,
          messageId: message ? messageId : undefined,
          isInvalid,
          native: {
            id,
            name: props.name,
            placeholder: props.placeholder,
            disabled: isDisabled,
            readOnly: props.isReadOnly,
            onBlur: props.onBlur,
            'aria-describedby': message ? messageId : undefined,
            'aria-invalid': isInvalid || undefined,
            'aria-required': isRequired || undefined,
          },
        })}
      </div>
      <div
        id={messageId}
        className={classes(styles.message, isInvalid && styles.error)}
        aria-live={isInvalid ? 'polite' : undefined}
      >
        {message}
      </div>
    </div>
  )
}

/** Shows something that is no input (a badge with its button, plain text) in the layout of a field. */
export function FieldRow({
  label,
  isWide,
  isRequired,
  children,
}: Pick<FieldProps, 'label' | 'isWide' | 'isRequired'> & { children: ReactNode }) {
  const labelId = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-labelledby={labelId} className={classes(styles.field, isWide && layout.fullRow)}>
      <span id={labelId} className={classes(styles.label, isRequired && styles.required)}>
        <span className={styles.labelText}>{label}</span>
      </span>
      <div className={classes(styles.control, styles.static)}>{children}</div>
      <div className={styles.message} />
    </div>
  )
}
