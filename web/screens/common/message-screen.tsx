import { Suspense, type ReactNode } from 'react'
import styles from './message-screen.module.css'

/** Shows a whole page with one message, for example that a page does not exist or has failed. */
export function MessageScreen({
  picture,
  heading,
  text,
  children,
}: {
  /** Decorative picture above the heading, hidden from screen readers. */
  picture?: ReactNode
  heading: string
  text: string
  /** Buttons and links that lead to other pages. */
  children: ReactNode
}) {
  return (
    <section className={styles.screen}>
      {picture !== undefined && (
        <div className={styles.picture} aria-hidden="true">
          <Suspense>{picture}</Suspense>
        </div>
      )}
      <h1 className={styles.heading}>{heading}</h1>
      <p className={styles.text}>{text}</p>
      <div className={styles.ways}>{children}</div>
    </section>
  )
}
