import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import styles from './list-failed.module.css'

/** Under a select whose list could not be loaded: silent but for this, with a retry (rules/frame#server-away). */
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
