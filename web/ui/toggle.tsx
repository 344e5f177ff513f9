import styles from './toggle.module.css'

/** Something that is on or off at once, without a save. */
interface ToggleProps {
  /** Read before the state, e.g. '승인 여부'. */
  label: string
  value: boolean
  onChange: (value: boolean) => void
  /** The words beside it, e.g. 승인 and 미승인. */
  onLabel: string
  offLabel: string
  isDisabled?: boolean | undefined
}

/** A switch that says its state in words. */
export function Toggle({ label, value, onChange, onLabel, offLabel, isDisabled = false }: ToggleProps) {
  return (
    <button
      type="button"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="switch"
      aria-checked={value}
      aria-label={label}
      className={styles.toggle}
      disabled={isDisabled}
      onClick={() => onChange(!value)}
    >
      <span className={styles.track} />
      <span>{value ? onLabel : offLabel}</span>
    </button>
  )
}
