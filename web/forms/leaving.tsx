import type { ReactNode } from 'react'
import layout from '../ui/layout.module.css'

/** Tells when the focus has left all that is inside: a field together with the button beside it. */
export function Leaving({ onLeft, children }: { onLeft: () => void; children: ReactNode }) {
  return (
    <div
      className={layout.contents}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeft()
      }}
    >
      {children}
    </div>
  )
}
