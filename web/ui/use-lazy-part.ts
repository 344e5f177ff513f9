import { useEffect, useRef, useState } from 'react'
import { dialogs } from './dialogs.ts'

/** State and actions of content whose code loads when the user opens it. */
interface LazyPart<T> {
  /** The loaded content; undefined while it is closed. */
  opened: T | undefined
  /** Loads the content and opens it. Shows an alert if it cannot be loaded. */
  open: () => void
  /** Cancels an `open` that is still loading. Open content stays open. */
  forget: () => void
  close: () => void
}

/**
 * Returns large content that loads when the user opens it (design/page-build#four-scripts-per-page), and the functions
 * that open and close it. If it cannot be loaded, an alert says so and it stays closed; `open` tries again. In some
 * browsers that fails until the page is reloaded.
 * @param load loads the content, such as a dynamic import
 */
export function useLazyPart<T>(load: () => Promise<T>): LazyPart<T> {
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
