import { useSyncExternalStore } from 'react'
import { ArrowUpIcon } from '../ui/first-icons.tsx'
import { useMessages } from '../language.tsx'
import styles from './back-to-top.module.css'

/** The button appears after this much of scroll (rules/frame#back-to-top). */
const AFTER_PX = 100

/** Back to the top of a long page, for mouse and keyboard alike. */
export function BackToTop() {
  const t = useMessages().frame
  const isShown = useSyncExternalStore(onScroll, () => window.scrollY > AFTER_PX)
  if (!isShown) return null

  return (
    <button
      type="button"
      className={styles.button}
      aria-label={t.backToTop}
      title={t.backToTop}
      onClick={toTop}
    >
      <ArrowUpIcon />
    </button>
  )
}

function toTop() {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  window.scrollTo({ top: 0, behavior: isCalm ? 'instant' : 'smooth' })
  // The button goes away; the focus must not go with it.
  const content = document.getElementById('content')
  if (content !== null) {
    content.tabIndex = -1
    content.focus({ preventScroll: true })
  }
}

function onScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true })
  return () => window.removeEventListener('scroll', listener)
}
