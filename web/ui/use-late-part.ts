import { useEffect, useRef, useState } from 'react'
import { dialogs } from './dialogs.ts'

/** A part of the page that is fetched when a person opens it. */
export interface LatePart<T> {
  /** There while it is open. */
  opened: T | undefined
  /** Opens it once it is there; says so where it cannot be fetched. */
  open: () => void
  /** Gives up a wish to open that still waits: the person has gone on. */
  forget: () => void
  close: () => void
}

/**
 * Opens a part that is heavy and seldom used (design/page-build#four-scripts-per-page).
 * @param load fetches it; a browser that failed once may fail until the page is loaded again
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
