import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import styles from './checkbox.module.css'

/** A box to tick, with its label at the right. */
interface CheckboxProps {
  label: string
  /** Where the place says what it is, as in a column: the label is for screen readers. */
  isLabelHidden?: boolean | undefined
  /** Some of what it stands for is ticked. */
  isMixed?: boolean | undefined
  value: boolean
  onChange: (value: boolean) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  isDisabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A native checkbox in the accent colour. */
export function Checkbox(props: CheckboxProps) {
  const { label, value, onChange, onBlur, name, isDisabled, ref, isLabelHidden, isMixed = false } = props
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => input.current)
  useEffect(() => {
    if (input.current) input.current.indeterminate = isMixed
  }, [isMixed])
  return (
    <label className={styles.checkbox}>
      <input
        ref={input}
        type="checkbox"
        name={name}
        checked={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
        onBlur={onBlur}
        aria-label={isLabelHidden ? label : undefined}
      />
      {!isLabelHidden && label}
    </label>
  )
}
