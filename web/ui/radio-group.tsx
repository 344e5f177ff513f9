import { useId } from 'react'
import styles from './radio-group.module.css'

interface Props<Value extends string> {
  /** What is chosen about, for screen readers: the place says it. */
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
}

/** A few choices beside each other, native: arrows choose. */
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
