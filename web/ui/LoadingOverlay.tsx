import { useLayoutEffect, useRef } from 'react'
import styles from './LoadingOverlay.module.css'
import { Spinner } from './Spinner.tsx'

/** Blocks the page while something must not be disturbed; seen after 150 ms, read out as `label`. */
export function LoadingOverlay({ label }: { label: string }) {
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
      closedby="none"
      onCancel={(event) => event.preventDefault()}
    >
      <output className={styles.box}>
        <Spinner size={28} />
        {label}
      </output>
    </dialog>
  )
}
