import { disassemble, getChoseong } from 'es-hangul'
import { inOtherLayout } from '../../contract/keyboard-layout.ts'

/**
 * Returns a predicate that returns whether a text contains `text`: by letters, by parts of syllables or by initial
 * consonants, in either keyboard layout. Ignores spaces and case.
 */
export function createMatcher(text: string): (words: string) => boolean {
  const queries = [text, inOtherLayout(text) ?? text].map(bare)
  return (words) => {
    const candidate = bare(words)
    const parts = disassemble(candidate)
    const initials = getChoseong(candidate)
    return queries.some((query) => parts.includes(disassemble(query)) || initials.includes(query))
  }
}

/** Removes spaces and converts to lower case. */
const bare = (words: string) => words.replaceAll(' ', '').toLowerCase()
