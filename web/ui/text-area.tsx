import type { ComponentProps, Ref } from 'react'
import { Field, type FieldProps } from './field.tsx'
import styles from './input.module.css'

/** Props of a text area. */
export interface TextAreaProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  /** Number of visible lines, 8 by default. */
  rows?: number | undefined
  maxLength?: number | undefined
  ref?: Ref<HTMLTextAreaElement> | undefined
  /** Attributes of the element itself, such as those of a list that it controls. */
  native?: ComponentProps<'textarea'> | undefined
}

/** Shows a labeled text area with its message line. */
export function TextArea(props: TextAreaProps) {
  const { value, onChange, rows = 8, maxLength, ref } = props
  return (
    <Field {...props}>
      {({ native }) => (
        <span className={styles.box}>
          <textarea
            {...native}
            {...props.native}
            ref={ref}
            className={styles.area}
            rows={rows}
            value={value}
            maxLength={maxLength}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  )
}
