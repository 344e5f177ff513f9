import { useEffect, useRef, useState } from 'react'
import { dialogs } from './dialogs.ts'

/** Content of the page whose code loads when the user opens it. */
interface LatePart<T> {
  /** The loaded content; undefined while it is closed. */
  opened: T | undefined
  /** Loads the content and opens it. Shows an alert if it cannot be loaded. */
  open: () => void
  /** Cancels an `open` that is still loading. Open content stays open. */
  forget: () => void
  close: () => void
}

/**
 * Returns the state and actions of large content that users rarely open (design/page-build#four-scripts-per-page).
 * @param load loads the content; after a failure some browsers fail until the page is reloaded
 */
export function useLatePart<T>(load: () => Promise<T>): LatePart<T> {
  const [opened, setOpened] = useState<T>()
  const wishes = useRef(0)
  const forget = () => void (wishes.current += 1)
  useEffect(() => () => void (wishes.current += 1), [])
  return {
    opened,
    open() {
      forget()
      const wish = wishes.current
      const isWanted = () => wish === wishes.current
      void load().then(
        (part) => {
          if (isWanted()) setOpened(part)
        },
        () => {
          if (isWanted()) void dialogs.notLoaded()
        },
      )
    },
    forget,
    close: () => setOpened(undefined),
  }
}
