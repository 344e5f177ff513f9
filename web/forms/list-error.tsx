import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import styles from './list-error.module.css'

/**
 * Shows, under a select, that its list could not be loaded, with a button that loads it again
 * (rules/frame#server-unavailable).
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
