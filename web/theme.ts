import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/** The themes that a user may choose. `system` follows the operating system. */
export const THEMES = ['light', 'dark', 'system'] as const

/** A choice of the theme switch. */
export type Theme = (typeof THEMES)[number]

/** Storage key of the theme. Shared with `first-paint.js`, which applies the choice before the page is painted. */
const STORED = 'theme'

const { subscribe, notify } = createListeners()

/**
 * Returns the chosen theme, `system` by default, and a function that changes and stores it. The colors are in
 * `web/ui/theme.css`.
 */
export function useTheme(): { theme: Theme; setTheme: (to: Theme) => void } {
  return { theme: useSyncExternalStore(subscribe, storedTheme), setTheme }
}

/** Applies the stored theme, and follows changes in other tabs. Call it once, at start. */
export function restoreTheme(): void {
  apply(storedTheme())
  window.addEventListener('storage', (event) => {
    if (event.key === STORED || event.key === null) apply(storedTheme())
  })
}

/** Stores the theme in this browser and applies it. Other tabs follow (`restoreTheme`). */
function setTheme(to: Theme): void {
  localStorage.setItem(STORED, to)
  apply(to)
}

/** Returns the stored theme; `system` if none is stored or the value is unknown. */
function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

/** Sets the theme on the document and renders the components that show it. `system` removes it from the document. */
function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  notify()
}
