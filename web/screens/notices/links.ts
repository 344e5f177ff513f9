/** A part of a text: plain words, or an address that a person may follow. */
interface Part {
  at: number
  words: string
  href?: string
}

// An address begins with its scheme: 'javascript:' and the like are words like any other.
const ADDRESS = /\bhttps?:\/\/[^\s<>"']+/gi
// What ends a sentence is no part of the address in it.
const SENTENCE_END = /[.,;:!?)\]}…。、]+$/

/** Divides a text at its web addresses; joined, the parts are the text. */
export function linked(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  const say = (to: number) => {
    if (to > end) parts.push({ at: end, words: text.slice(end, to) })
  }
  for (const match of text.matchAll(ADDRESS)) {
    const words = match[0].replace(SENTENCE_END, '')
    if (!URL.canParse(words)) continue
    say(match.index)
    parts.push({ at: match.index, words, href: new URL(words).href })
    end = match.index + words.length
  }
  say(text.length)
  return parts
}
