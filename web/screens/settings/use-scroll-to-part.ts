import { useEffect } from 'react'

/**
 * Scrolls once to the section in the URL fragment and focuses its first field. Does nothing without a fragment or such
 * a section. The browser cannot, because the form renders after the page.
 */
export function useScrollToPart(): void {
  useEffect(() => {
    const part = location.hash === '' ? null : document.getElementById(location.hash.slice(1))
    part?.scrollIntoView({ block: 'center' })
    part?.querySelector<HTMLElement>('input:not([hidden]), button')?.focus({ preventScroll: true })
  }, [])
}
