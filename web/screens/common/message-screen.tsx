import { Suspense, type ReactNode } from 'react'
import styles from './message-screen.module.css'

/** A whole page that says one thing: not found, not built, broken. */
export function MessageScreen({
  picture,
  heading,
  text,
  children,
}: {
  /** Above the heading; it says nothing more. */
  picture?: ReactNode
  heading: string
  text: string
  /** Ways out. */
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
