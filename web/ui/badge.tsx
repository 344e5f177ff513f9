import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classes } from './classes.ts'

/** Tones of badges: a color that supports the word. */
type BadgeTone = 'positive' | 'neutral' | 'warning' | 'danger' | 'info'

/** Shows a short state in a table or a form, e.g. 승인 (positive) and 미승인 (warning). */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone | undefined; children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>
}
