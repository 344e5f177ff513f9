import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { WarningIcon } from './icons.tsx'
import layout from './layout.module.css'
import { classes } from './classes.ts'
import { NothingPicture } from './nothing-picture.tsx'
import styles from './states.module.css'

interface EmptyStateProps {
  message: ReactNode
  /** What a person does next. */
  action?: ReactNode
  hasPicture?: boolean | undefined
}

/** Said where a list would be when it has nothing to show. */
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

/** What an error state needs. */
interface ErrorStateProps {
  message: ReactNode
  retryLabel: string
  onRetry: () => void
  isPending?: boolean | undefined
}

/** Said where content would be when loading it failed, with a button to try again. */
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
