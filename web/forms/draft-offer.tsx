import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toasts.ts'
import styles from './draft-offer.module.css'

interface Props {
  /** Sentence that says when the draft was saved. */
  text: string
  onResume: () => void
  /** Deletes the draft. Returns a function that restores it, for the undo of a toast. */
  onDiscard: () => () => void
}

/**
 * Shows the offer of an earlier draft, with buttons that resume it (`onResume`) or discard it. A toast offers to
 * undo the latter.
 */
export function DraftOffer({ text, onResume, onDiscard }: Props) {
  const t = usePortalMessages().forms
  return (
    <section className={styles.offer} aria-label={t.draftLabel}>
      <p>{text}</p>
      <div className={styles.buttons}>
        <Button size="small" onClick={() => showToast({ message: t.draftDiscarded, undo: onDiscard() })}>
          {t.draftDiscard}
        </Button>
        <Button size="small" variant="primary" onClick={onResume}>
          {t.draftRestore}
        </Button>
      </div>
    </section>
  )
}
