import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './fact-list.module.css'

interface Props {
  facts: readonly (readonly [name: string, value: ReactNode])[]
  /** In columns that line up, where they are many: four, the last of which may be long, or as many as there is room for. */
  columns?: 'four' | 'many'
}

/** What is known of something, each by its name, in a dialog or a card. */
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
