import { Outlet } from '@tanstack/react-router'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Footer } from './footer.tsx'
import styles from './shell.module.css'
import { SlimHeader } from './guest-header.tsx'
import { ArrowUpIcon } from '../ui/core-icons.tsx'
import { useMessages } from '../language.tsx'
import topStyles from './back-to-top.module.css'

/**
 * Lays out a page for guests: a header with logo, language and theme, but no menu. Without children it renders the
 * route.
 */
export function SlimFrame({ children }: { children?: ReactNode }) {
  return <Shell header={<SlimHeader />}>{children}</Shell>
}

/**
 * Lays out every page: the given header, the content (the route without children), the footer and the button back to
 * the top.
 */
export function Shell({ header, children }: { header: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.shell}>
      {header}
      <main id="content" className={styles.content}>
        {children ?? <Outlet />}
      </main>
      <Footer />
      <BackToTop />
    </div>
  )
}

/** Scrolled pixels from which the button is shown (rules/frame#back-to-top). */
const AFTER_PX = 100

/** Shows a button, once the page is scrolled by AFTER_PX, that scrolls to the top and moves the focus there. */
function BackToTop() {
  const t = useMessages().frame
  const isShown = useSyncExternalStore(onScroll, () => window.scrollY > AFTER_PX)
  if (!isShown) return null

  return (
    <button
      type="button"
      className={topStyles.button}
      aria-label={t.backToTop}
      title={t.backToTop}
      onClick={toTop}
    >
      <ArrowUpIcon />
    </button>
  )
}

/** Scrolls to the top of the page and moves the focus to its content. */
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

/** Calls the listener after each scroll of the page. Returns a function that stops this. */
function onScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true })
  return () => window.removeEventListener('scroll', listener)
}
