import type { ReactNode } from 'react'
import layout from './layout.module.css'

/** Shows a text from `messages`, which starts with a small letter, with a capital first letter. */
export function Sentence({ children }: { children: ReactNode }) {
  return <span className={layout.sentence}>{children}</span>
}
