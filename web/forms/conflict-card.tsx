import { useEffect, useRef, type ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import layout from '../ui/layout.module.css'

interface Props {
  title?: string | undefined
  /** Whether a save would overwrite something of the other user. */
  isOverwriting: boolean
  /** Replaces the user's input with what the other user saved. */
  onTake: () => void
  /** The values that the other user saved. */
  children: ReactNode
}

/**
 * Shows in a card what another user saved while the form was open (rules/frame#edit-conflict). If a save would
 * overwrite it, its button calls `onTake`; otherwise the card states that both inputs were merged. Takes the focus
 * from the save button, so that the next key press does not overwrite something off screen. Needs a key per
 * version of the record.
 */
export function ConflictCard({ title, isOverwriting, onTake, children }: Props) {
  const t = usePortalMessages().forms
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    card.current?.focus({ preventScroll: true })
    card.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <Card
      ref={card}
      title={title ?? t.conflictTitle}
      actions={
        isOverwriting && (
          <Button size="small" onClick={onTake}>
            {t.conflictTake}
          </Button>
        )
      }
    >
      <div className={layout.stack}>
        <p className={layout.warning} role="alert">
          {isOverwriting ? t.conflictText : t.conflictMerged}
        </p>
        {children}
      </div>
    </Card>
  )
}
