import type { Ref } from 'react'
import styles from './Checkbox.module.css'

/** A box to tick, with its label at the right. */
interface CheckboxProps {
  label: string
  value: boolean
  onChange: (value: boolean) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  isDisabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A native checkbox in the accent colour. */
export function Checkbox({ label, value, onChange, onBlur, name, isDisabled, ref }: CheckboxProps) {
  return (
    <label className={styles.checkbox}>
      <input
        ref={ref}
        type="checkbox"
        name={name}
        checked={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
        onBlur={onBlur}
      />
      {label}
    </label>
  )
}
