import type { ReactNode } from 'react'
import layout from '../../ui/layout.module.css'
import styles from './factors.module.css'

interface Props {
  title: string
  lead: string
  /** Whether it is there, and since when. */
  state: string
  warning?: string | undefined
  actions: ReactNode
  /** What there is of it, where it may be several. */
  children?: ReactNode
}

/** One of a person's second factors, or their recovery codes. */
export function FactorPart({ title, lead, state, warning, actions, children }: Props) {
  return (
    <section className={styles.part} aria-label={title}>
      <div>
        <h3>{title}</h3>
        <p className={layout.quiet}>{lead}</p>
        <p>{state}</p>
        {warning !== undefined && <p className={layout.warning}>{warning}</p>}
      </div>
      <div className={layout.row}>{actions}</div>
      {children}
    </section>
  )
}
