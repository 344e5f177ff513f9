import { useRef, type KeyboardEvent } from 'react'
import type { SelectOption } from './select-field.tsx'

/** Milliseconds within which letters belong to one word. */
const WORD_MS = 1_000

/**
 * Returns a keydown handler that chooses the first option whose label starts with the letters typed without a pause of
 * one second; ignores case. It returns whether it has chosen an option; the caller then prevents the key's default
 * action.
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
    // After a mistyped letter the next one starts a new word.
    typed.current = { word: found === undefined ? '' : word, at: timeStamp }
    if (found !== undefined) choose(found.value)
    return found !== undefined
  }
}
