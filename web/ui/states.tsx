import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { WarningIcon } from './icons.tsx'
import layout from './layout.module.css'
import { classes } from './classes.ts'
import styles from './states.module.css'

interface EmptyStateProps {
  message: ReactNode
  /** The next step for the user. */
  action?: ReactNode
  hasPicture?: boolean | undefined
}

/** Shows a message and the next step instead of an empty list. */
export function EmptyState({ message, action, hasPicture = false }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {hasPicture && (
        <span className={styles.picture} aria-hidden="true">
          <NothingPicture />
        </span>
      )}
      <p>{message}</p>
      {action}
    </div>
  )
}

/** Properties of an error state. */
interface ErrorStateProps {
  message: ReactNode
  retryLabel: string
  onRetry: () => void
  isPending?: boolean | undefined
}

/** Shows a message and a retry button instead of content that failed to load. */
export function ErrorState({ message, retryLabel, onRetry, isPending }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <p className={classes(layout.row, styles.error)}>
        <WarningIcon />
        {message}
      </p>
      <Button size="small" onClick={onRetry} isPending={isPending}>
        {retryLabel}
      </Button>
    </div>
  )
}

/** Draws an empty tray with a blank sheet, for a list without rows. */
function NothingPicture() {
  return (
    <svg viewBox="0 0 96 64" width="100%" height="100%" fill="none" strokeWidth="2" strokeLinejoin="round">
      <ellipse cx="48" cy="58" rx="36" ry="4" fill="var(--line)" />
      <path d="M30 6h28l10 10v30H30z" fill="var(--surface)" stroke="var(--line-strong)" />
      <path d="M58 6v10h10" fill="var(--sunken)" stroke="var(--line-strong)" />
      <path d="M38 20h12M38 27h20" stroke="var(--line-button)" strokeLinecap="round" />
      <path
        d="M16 38h16l4 8h24l4-8h16v14a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4z"
        fill="var(--hover)"
        stroke="var(--line-strong)"
      />
    </svg>
  )
}
