import type { ReactNode } from 'react'
import layout from '../ui/layout.module.css'

/** Calls `onLeave` when the focus leaves a group of controls, such as a field with its button. */
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
