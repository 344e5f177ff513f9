import { useId, type ReactNode, type Ref } from 'react'
import layout from './layout.module.css'
import styles from './card.module.css'
import { Sentence } from './capitalized.tsx'

/** Props of a titled box. */
interface CardProps {
  title?: ReactNode
  /** Controls at the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

/**
 * Shows a section of a screen in a bordered box, labeled by its title. With a `ref` a script can move the focus to it.
 */
export function Card({ title, actions, children, ref }: CardProps & { ref?: Ref<HTMLElement> }) {
  const id = useId()
  return (
    <section
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      className={styles.card}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {(title !== undefined || actions !== undefined) && (
        <header className={styles.header}>
          <h2 id={id}>
            <Sentence>{title}</Sentence>
          </h2>
          {actions !== undefined && <div className={layout.row}>{actions}</div>}
        </header>
      )}
      <div className={styles.body}>{children}</div>
    </section>
  )
}

interface PageProps extends CardProps {
  title: ReactNode
  /** Breadcrumbs above the heading. */
  crumbs?: ReactNode
}

/** Lays out a screen: its heading with actions at the right, then the children below each other. */
export function Page({ title, actions, crumbs, children }: PageProps) {
  return (
    <div className={styles.page}>
      {crumbs}
      <header className={styles.pageHeader}>
        <h1>{title}</h1>
        {actions !== undefined && <div className={layout.row}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
