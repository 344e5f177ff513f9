import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import styles from './checkbox.module.css'

/** Props of a checkbox. */
interface CheckboxProps {
  label: string
  /** True if the position shows the meaning, as in a column: only screen readers get the label. */
  isLabelHidden?: boolean | undefined
  /** True if only some of the represented rows are selected. */
  isMixed?: boolean | undefined
  value: boolean
  /** `isRange` is true if Shift was held, which selects a range of rows. */
  onChange: (value: boolean, isRange: boolean) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  isDisabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** Shows a native checkbox in the accent color, with its label at the right. `isMixed` shows it as partly checked. */
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
        onChange={({ target, nativeEvent }) => {
          const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
          // Shift+click also selects the text in between.
          if (isRange) getSelection()?.removeAllRanges()
          onChange(target.checked, isRange)
        }}
        onBlur={onBlur}
        aria-label={isLabelHidden ? label : undefined}
      />
      {!isLabelHidden && label}
    </label>
  )
}
