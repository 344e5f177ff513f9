import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toasts.ts'
import styles from './draft-offer.module.css'

interface Props {
  /** What was begun, and when. */
  text: string
  onResume: () => void
  /** Returns what takes it back. */
  onDiscard: () => () => void
}

/** What was begun before: to go on with it, or to discard it. */
export function DraftOffer({ text, onResume, onDiscard }: Props) {
  const t = usePortalMessages().forms
  return (
    <section className={styles.offer} aria-label={t.draftLabel}>
      <p>{text}</p>
      <div className={styles.buttons}>
        <Button size="small" onClick={() => showToast(t.draftDiscarded, onDiscard())}>
          {t.draftDiscard}
        </Button>
        <Button size="small" variant="primary" onClick={onResume}>
          {t.draftRestore}
        </Button>
      </div>
    </section>
  )
}
