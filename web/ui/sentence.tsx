import type { ReactNode } from 'react'
import layout from './layout.module.css'

/** A text shown with a capital, where the catalogue has a small letter. */
export function Sentence({ children }: { children: ReactNode }) {
  return <span className={layout.sentence}>{children}</span>
}
