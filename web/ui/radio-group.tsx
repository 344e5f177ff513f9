import { useId } from 'react'
import styles from './radio-group.module.css'

interface Props<Value extends string> {
  /** Label for screen readers. On the screen the position makes it clear. */
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
}

/** Shows a few options in a row, as native radio buttons: the arrow keys select. */
export function RadioGroup<Value extends string>({ label, value, onChange, options }: Props<Value>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
