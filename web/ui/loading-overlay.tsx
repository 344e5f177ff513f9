import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './loading-overlay.module.css'
import { Spinner } from './spinner.tsx'

interface LoadingOverlayProps {
  label: string
  /** Esc stops it too; without it nothing does. */
  onCancel?: () => void
  /** How far it has come, a way to stop it. */
  children?: ReactNode
}

/** Blocks the page while something must not be disturbed; seen after 150 ms, read out as `label`. */
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
