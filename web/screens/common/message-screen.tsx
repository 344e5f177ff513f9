import type { ReactNode } from 'react'
import styles from './message-screen.module.css'

/** A whole page that says one thing: not found, not built, broken. */
export function MessageScreen({
  code,
  heading,
  text,
  children,
}: {
  /** A short mark above the heading, e.g. 404. */
  code?: string | undefined
  heading: string
  text: string
  /** Ways out. */
  children: ReactNode
}) {
  return (
    <section className={styles.screen}>
      {code !== undefined && (
        <p className={styles.code} aria-hidden="true">
          {code}
        </p>
      )}
      <h1 className={styles.heading}>{heading}</h1>
      <p className={styles.text}>{text}</p>
      <div className={styles.ways}>{children}</div>
    </section>
  )
}
