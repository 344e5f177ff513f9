import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import layout from './layout.module.css'
import { useLazyPart } from './use-lazy-part.ts'

interface Props<Part> {
  texts: { title: string; lead?: string; open: string; close: string }
  /** Loads the content. */
  load: () => Promise<Part>
  /** Shown while the content is closed. */
  closed?: ReactNode
  children: (part: Part) => ReactNode
}

/**
 * Shows a card whose content the user opens and closes by a button. The content loads when it opens; if it cannot be
 * loaded, an alert says so.
 */
export function LazyCard<Part>({ texts, load, closed, children }: Props<Part>) {
  const { opened, open, close } = useLazyPart(load)
  const isOpen = opened !== undefined
  return (
    <Card
      title={texts.title}
      actions={
        <Button size="small" aria-expanded={isOpen} onClick={isOpen ? close : open}>
          {isOpen ? texts.close : texts.open}
        </Button>
      }
    >
      {texts.lead !== undefined && <p className={layout.lead}>{texts.lead}</p>}
      {isOpen ? children(opened) : closed}
    </Card>
  )
}
