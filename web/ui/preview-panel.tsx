import { type ReactNode, useEffect, useRef } from 'react'
import layout from './layout.module.css'

interface Props {
  /** States what the change will do. */
  headline: string
  /** States why the preview replaced another one; undefined for the first one. */
  warning: string | undefined
  children: ReactNode
}

/**
 * Shows what a change will do, before it runs: a headline, a warning and the children. Gets the keyboard focus, because
 * it replaces the form.
 */
export function PreviewPanel({ headline, warning, children }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <div ref={panel} tabIndex={-1} className={layout.stack}>
      {warning !== undefined && (
        <p role="alert" className={layout.warning}>
          {warning}
        </p>
      )}
      <p>
        <b>{headline}</b>
      </p>
      {children}
    </div>
  )
}
