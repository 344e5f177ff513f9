import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './notice-form.module.css'

interface Props {
  savedAt: string
  onResume: () => void
  onDiscard: () => void
}

/** A text that was begun before: to go on with it, or to discard it. Files are not kept, and it says so. */
export function DraftOffer({ savedAt, onResume, onDiscard }: Props) {
  const t = usePortalMessages().notices.form
  return (
    <section className={styles.offer} aria-label={t.draftLabel}>
      <p>{t.draft(savedAt)}</p>
      <div className={styles.buttons}>
        <Button size="small" onClick={onDiscard}>
          {t.draftDiscard}
        </Button>
        <Button size="small" variant="primary" onClick={onResume}>
          {t.draftRestore}
        </Button>
      </div>
    </section>
  )
}
