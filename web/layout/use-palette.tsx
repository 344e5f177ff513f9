import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { useFirstDialog } from '../ui/dialogs.ts'
import { useLazyPart } from '../ui/use-lazy-part.ts'

/** Loads the code of the command palette, which is not part of the first load. */
export const loadPalette = () => import('./command-palette.tsx')

/** True on Apple devices, whose shortcut uses the Command key. */
const IS_MAC = /^(Mac|iP)/.test(navigator.platform)

/** The shortcut as the user's keyboard labels it, and its value for `aria-keyshortcuts`. */
export const SHORTCUT = IS_MAC ? { text: '⌘K', keys: 'Meta+K' } : { text: 'Ctrl K', keys: 'Control+K' }

/**
 * Manages the command palette (rules/frame#palette) and its shortcut, Ctrl or Command with K, which opens and closes
 * it. The shortcut does nothing while a dialog is open or if an editor has used it.
 * @param isOffered whether a user is logged in; without one the shortcut does nothing
 * @returns a function that opens the palette, and the palette while it is open
 */
export function usePalette(isOffered: boolean): { open: () => void; palette: ReactNode } {
  const { opened, open, close } = useLazyPart(loadPalette)
  const asked = useFirstDialog()
  const onShortcut = useEffectEvent((event: KeyboardEvent) => {
    // Start loading while the user presses the shortcut, so that text typed right after it is not lost.
    if (isOffered && event.key === (IS_MAC ? 'Meta' : 'Control') && !event.repeat)
      void loadPalette().catch(() => {})
    // Compare the position of the key: with a Korean layout it produces another letter.
    const isShortcut = event.code === 'KeyK' && (IS_MAC ? event.metaKey : event.ctrlKey)
    if (!isOffered || !isShortcut || event.altKey || event.shiftKey || event.repeat) return
    // An editor uses the key for links.
    if (event.defaultPrevented) return
    event.preventDefault()
    if (opened !== undefined) close()
    else if (asked === undefined && document.querySelector(MODAL) === null) open()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onShortcut(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return { open, palette: opened !== undefined && <opened.Palette onClose={close} /> }
}

/** Dialogs that the user must answer first. */
const MODAL = '[role=dialog], [role=alertdialog], dialog[open]'
