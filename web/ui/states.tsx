import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { WarningIcon } from './icons.tsx'
import layout from './layout.module.css'
import { classes } from './classes.ts'
import { NothingPicture } from './nothing-picture.tsx'
import styles from './states.module.css'

interface EmptyStateProps {
  message: ReactNode
  /** The next step for the user. */
  action?: ReactNode
  hasPicture?: boolean | undefined
}

/** Shown instead of an empty list. */
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

/** Shown instead of content that failed to load, with a retry button. */
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
