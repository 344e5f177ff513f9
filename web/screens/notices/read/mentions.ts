/** A user whom the writer selected from the list: users.id, name and place, which tells namesakes apart. */
export interface Mention {
  mentionId: string
  name: string
  /** Affiliation, team and position; missing in drafts of an older release. */
  place?: string | undefined
}

/** An @ before the caret (its position), and the letters between them. */
export interface MentionQuery {
  at: number
  keyword: string
}

/** Number of letters after an @ above which they are no name. */
const LONGEST = 20

/**
 * Returns the @ after which the user is typing a name, and the letters so far.
 * @param before the text before the caret
 * @returns undefined if there is none: after a blank, too many letters, or within an email address
 */
export function typedMention(before: string): MentionQuery | undefined {
  const at = before.lastIndexOf('@')
  const keyword = before.slice(at + 1)
  const isName = at !== -1 && keyword.length <= LONGEST && !/\s/.test(keyword)
  return isName && !/[\w.+-]/.test(before.charAt(at - 1)) ? { at, keyword } : undefined
}

/**
 * Returns the selected users, without duplicates, whom the text still mentions, as `splitMentions` marks them: of one
 * name only as many as the text mentions, the latest first (rules/notices#mentions).
 */
export function mentionsIn({ text, mentions }: { text: string; mentions: readonly Mention[] }): Mention[] {
  const names = mentions.map(({ name }) => name)
  const left = splitMentions(text, names).flatMap(({ part, isMention }) => (isMention ? [part.slice(1)] : []))
  const latest = mentions.toReversed().filter(({ name }) => {
    const at = left.indexOf(name)
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  })
  return [...new Map(latest.map((mention) => [mention.mentionId, mention])).values()]
}

/** Returns the IDs of `mentionsIn`. */
export function mentionIdsIn(comment: Parameters<typeof mentionsIn>[0]): string[] {
  return mentionsIn(comment).map(({ mentionId }) => mentionId)
}

/** Segment of a text: plain, or a mention. */
interface Part {
  at: number
  part: string
  isMention: boolean
}

/**
 * Divides a text at the mentions of these names; joined, the parts are the text. If two names fit at an @, the
 * longer one counts.
 */
export function splitMentions(text: string, names: readonly string[]): Part[] {
  const longestFirst = names.toSorted((a, b) => b.length - a.length)
  const parts: Part[] = []
  let end = 0
  const take = (to: number, isMention: boolean) => {
    if (to > end) parts.push({ at: end, part: text.slice(end, to), isMention })
    end = to
  }
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const name = longestFirst.find((each) => text.startsWith(each, at + 1))
    if (name === undefined) continue
    take(at, false)
    take(at + 1 + name.length, true)
  }
  take(text.length, false)
  return parts
}
