import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './fact-list.module.css'

interface Props {
  facts: readonly (readonly [name: string, value: ReactNode])[]
  /** Aligned columns for many facts: four, of which the last may be long, or as many as fit. */
  columns?: 'four' | 'many'
}

/** Lists names with their values in a dialog or a card. */
export function FactList({ facts, columns }: Props) {
  return (
    <dl className={classes(styles.facts, columns && styles[columns])}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
