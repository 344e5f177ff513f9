import { useRef, type KeyboardEvent } from 'react'
import type { SelectOption } from './select-field.tsx'

/** Letters that come within this time belong to one word. */
const WORD_MS = 1_000

/**
 * Chooses the option whose label begins with the letters that are typed.
 * @returns takes a pressed key, and says whether it was one of them
 */
export function useTypeAhead(options: readonly SelectOption[], choose: (value: string) => void) {
  const typed = useRef({ word: '', at: 0 })
  return ({ key, timeStamp, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (key.length !== 1 || ctrlKey || metaKey || altKey) return false
    const before = timeStamp - typed.current.at < WORD_MS ? typed.current.word : ''
    // A word does not begin with the space, which opens the list.
    if (before === '' && key === ' ') return false
    const word = before + key.toLowerCase()
    const found = options.find(({ label }) => label.toLowerCase().startsWith(word))
    // After a slip the next letter begins anew.
    typed.current = { word: found === undefined ? '' : word, at: timeStamp }
    if (found !== undefined) choose(found.value)
    return found !== undefined
  }
}
