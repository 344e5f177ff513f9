import type { ReactNode } from 'react'
import layout from '../../ui/layout.module.css'
import styles from './factors.module.css'

interface Props {
  title: string
  lead: string
  /** Whether the factor is set up, and since when. */
  state: string
  warning?: string | undefined
  actions: ReactNode
  /** The existing factors, if there may be several. */
  children?: ReactNode
}

/**
 * Shows one of the user's second factors, the recovery codes or a linked identity provider, with the caller's actions.
 * Makes no call.
 */
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
