import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import styles from './list-error.module.css'

/**
 * Shows, under a select whose list could not be loaded, the error and a retry button (rules/frame#server-unavailable).
 */
export function ListFailed({ retry }: { retry: () => void }) {
  const { forms, frame } = usePortalMessages()
  return (
    <span className={styles.failed} role="alert">
      {forms.listFailed}
      <Button variant="quiet" size="small" onClick={retry}>
        {frame.retry}
      </Button>
    </span>
  )
}
