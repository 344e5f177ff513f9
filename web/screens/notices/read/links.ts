import { targetOf } from './markdown-target.ts'

/** A segment of a text: plain, or a link. */
interface Part {
  at: number
  part: string
  href?: string
}

// A link begins with its scheme: 'javascript:' and the like are text like any other.
const LINK = /\bhttps?:\/\/[^\s<>"']+/gi
// Punctuation that ends a sentence is not part of a link.
const SENTENCE_END = /(?<![.,;:!?)\]}…。、])[.,;:!?)\]}…。、]+$/

/**
 * Divides a text at its links; joined, the parts are the text. A link follows the rule of Markdown links.
 * @param origin where the portal is open
 */
export function linked(text: string, origin: string): Part[] {
  const parts: Part[] = []
  let end = 0
  const say = (to: number) => {
    if (to > end) parts.push({ at: end, part: text.slice(end, to) })
  }
  for (const match of text.matchAll(LINK)) {
    const part = match[0].replace(SENTENCE_END, '')
    const target = URL.canParse(part) ? targetOf(part, origin) : undefined
    if (target === undefined) continue
    say(match.index)
    parts.push({ at: match.index, part, href: target.href })
    end = match.index + part.length
  }
  say(text.length)
  return parts
}
