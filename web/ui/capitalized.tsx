import type { ReactNode } from 'react'
import layout from './layout.module.css'

/** Shows a text with a capital first letter, where `messages` has a small one. */
export function Sentence({ children }: { children: ReactNode }) {
  return <span className={layout.sentence}>{children}</span>
}
