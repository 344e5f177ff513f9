import type { ReactNode } from 'react'
import layout from '../ui/layout.module.css'

/** Groups controls, such as a field with its button, and calls `onLeave` when the focus leaves the whole group. */
export function FocusLeave({ onLeave, children }: { onLeave: () => void; children: ReactNode }) {
  return (
    <div
      className={layout.contents}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave()
      }}
    >
      {children}
    </div>
  )
}
