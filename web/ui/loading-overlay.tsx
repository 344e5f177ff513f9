import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './loading-overlay.module.css'
import { Spinner } from './spinner.tsx'

interface LoadingOverlayProps {
  label: string
  /** Called when the user presses Esc; without it Esc has no effect. */
  onCancel?: () => void
  /** The progress, and a button that cancels. */
  children?: ReactNode
}

/**
 * Covers the page while an action runs that the user must not disturb. Screen readers announce `label`; it is
 * visible after 150 ms.
 */
export function LoadingOverlay({ label, onCancel, children }: LoadingOverlayProps) {
  const ref = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    // The browser's own modal: everything else is inert at once, and the focus comes back on close.
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  return (
    <dialog
      ref={ref}
      className={styles.overlay}
      aria-label={label}
      closedby={onCancel === undefined ? 'none' : 'closerequest'}
      onCancel={(event) => {
        event.preventDefault()
        onCancel?.()
      }}
    >
      <output className={styles.box}>
        <Spinner size={28} />
        <span className={styles.label}>{label}</span>
      </output>
      {children}
    </dialog>
  )
}
