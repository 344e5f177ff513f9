import layout from './layout.module.css'
import styles from './presets.module.css'

interface Props {
  /** Label of the field that is filled. */
  label: string
  choices: readonly { label: string; pick: () => void }[]
}

/** Shows small buttons under a field, each of which fills in a frequent choice by its `pick`. */
export function Presets({ label, choices }: Props) {
  return (
    <fieldset className={styles.presets} aria-label={label}>
      {choices.map((choice) => (
        <button key={choice.label} type="button" className={layout.textButton} onClick={choice.pick}>
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}
