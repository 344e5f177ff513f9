import type { Ref } from 'react'
import { Field, type FieldProps } from './field.tsx'
import styles from './input.module.css'

/** Several lines of text. */
export interface TextAreaProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  /** Lines shown, 8 unless told. */
  rows?: number | undefined
  placeholder?: string | undefined
  isReadOnly?: boolean | undefined
  maxLength?: number | undefined
  ref?: Ref<HTMLTextAreaElement> | undefined
}

/** A labelled text area with its message line. */
export function TextArea(props: TextAreaProps) {
  const { value, onChange, onBlur, name, rows = 8, placeholder, ref } = props
  const { isReadOnly, isDisabled, maxLength } = props
  return (
    <Field {...props}>
      {({ id, aria }) => (
        <span className={styles.box}>
          <textarea
            {...aria}
            id={id}
            ref={ref}
            className={styles.area}
            name={name}
            rows={rows}
            value={value}
            placeholder={placeholder}
            readOnly={isReadOnly}
            disabled={isDisabled}
            maxLength={maxLength}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
          />
        </span>
      )}
    </Field>
  )
}
