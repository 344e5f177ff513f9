import { useId, type ReactNode, type Ref } from 'react'
import layout from './layout.module.css'
import styles from './card.module.css'
import { Sentence } from './sentence.tsx'

/** A titled box. */
interface CardProps {
  title?: ReactNode
  /** Beside the title, at the right. */
  actions?: ReactNode
  children: ReactNode
}

/** A section of a screen in a bordered box, named by its title. With a ref the focus can be put on it. */
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
  /** The way to a record, above the heading. */
  crumbs?: ReactNode
}

/** A screen: its heading, actions at the right of it, then its parts one under the other. */
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
