import { useMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import styles from './draft-offer.module.css'

interface Props {
  /** What was begun, and when. */
  text: string
  onResume: () => void
  onDiscard: () => void
}

/** What was begun before: to go on with it, or to discard it. */
export function DraftOffer({ text, onResume, onDiscard }: Props) {
  const t = useMessages().forms
  return (
    <section className={styles.offer} aria-label={t.draftLabel}>
      <p>{text}</p>
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
