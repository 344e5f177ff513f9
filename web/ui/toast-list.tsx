import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import styles from './toast-list.module.css'
import { dropToast, useToasts } from './toasts.ts'

/** Milliseconds for which a toast is shown; UNDO_FOR_MS if it offers to undo, so that the user can reach the button. */
const SHOWN_FOR_MS = 6_000
/** Milliseconds for which a toast with an undo is shown. */
const UNDO_FOR_MS = 20_000

/** The key that moves the focus to the toasts from anywhere. */
const KEY = 'F8'

interface Props {
  labels: { toasts: string; undo: string; close: string }
}

/**
 * Shows the messages of `showToast` at the edge of the window, each with a close button and, if it can be undone, an
 * undo button. A toast stays while the pointer or the focus is on it. F8 moves the focus to them, Esc closes the
 * oldest.
 */
export function ToastList({ labels }: Props) {
  const toasts = useToasts()
  const region = useRef<HTMLElement>(null)
  const from = useRef<Element>(null)
  const [isHeld, setHeld] = useState(false)
  const first = toasts[0]

  useEffect(() => {
    if (first === undefined || isHeld) return
    const timer = setTimeout(() => dropToast(first.id), first.undo ? UNDO_FOR_MS : SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [first, isHeld])

  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      const button = region.current?.querySelector('button')
      if (event.key !== KEY || !button) return
      event.preventDefault()
      if (!region.current?.contains(document.activeElement)) from.current = document.activeElement
      button.focus()
    }
    document.addEventListener('keydown', lead)
    return () => document.removeEventListener('keydown', lead)
  }, [])

  /** Removes a toast, and returns the focus to its previous position, because the pressed button is removed. */
  function drop(id: number): void {
    const hadFocus = region.current?.contains(document.activeElement)
    dropToast(id)
    setHeld(false)
    if (hadFocus && from.current instanceof HTMLElement && from.current.isConnected) from.current.focus()
  }

  return (
    // The toasts stay while the pointer or focus is on them. Only the buttons inside are interactive.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={region}
      className={styles.toasts}
      aria-label={`${labels.toasts} (${KEY})`}
      hidden={toasts.length === 0}
      // Over dialogs and open lists too, and heard there.
      data-react-aria-top-layer="true"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ relatedTarget }) => {
        setHeld(true)
        if (!region.current?.contains(relatedTarget)) from.current ??= relatedTarget
      }}
      onBlur={({ relatedTarget }) => setHeld(region.current?.contains(relatedTarget) === true)}
      onKeyDown={({ key }) => {
        if (key === 'Escape' && first !== undefined) drop(first.id)
      }}
    >
      {toasts.map(({ id, message, undo }) => (
        <div key={id} className={styles.toast}>
          <span>{message}</span>
          {undo && (
            <Button
              size="small"
              variant="quiet"
              onClick={() => {
                drop(id)
                undo()
              }}
            >
              {labels.undo}
            </Button>
          )}
          <Button size="small" variant="quiet" isIcon aria-label={labels.close} onClick={() => drop(id)}>
            <CloseIcon size={16} />
          </Button>
        </div>
      ))}
    </section>
  )
}

/** Announces toasts to screen readers. Rendered before the first toast, because a live region only announces changes. */
export function ToastStatus() {
  const last = useToasts().at(-1)
  return (
    <output className="visually-hidden" data-react-aria-top-layer="true">
      {last && <span key={last.id}>{last.message}</span>}
    </output>
  )
}
