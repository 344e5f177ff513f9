import { framedPages } from '../../../../contract/pages.ts'
import styles from './comments-card.module.css'
import { splitMentions } from './mentions.ts'

/**
 * Shows a plain text with its http and https URLs as links that open a new window, and mentions of users
 * highlighted. Never creates HTML from the text.
 */
export function LinkedText({ text, origin, newWindow, names = [] }: LinkedTextProps) {
  return splitLinks(text, origin).map(({ at, part, href }) =>
    href === undefined ? (
      splitMentions(part, names).map((piece) =>
        piece.isMention ? (
          <span key={`${at} ${piece.at}`} className={styles.mention}>
            {piece.part}
          </span>
        ) : (
          piece.part
        ),
      )
    ) : (
      <OutsideLink key={at} href={href} newWindow={newWindow}>
        {part}
      </OutsideLink>
    ),
  )
}

/**
 * Shows a link that opens another site in a new window. Sends no referrer, so the site does not learn the URL of the
 * notice.
 */
export function OutsideLink({ href, newWindow, children }: LinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> ({newWindow})</span>
    </a>
  )
}

interface LinkedTextProps {
  text: string
  /** Origin of the portal. */
  origin: string
  /** Text for screen readers that the link opens a new window. */
  newWindow: string
  /** Names of mentioned people. */
  names?: readonly string[] | undefined
}

interface LinkProps {
  href: string
  newWindow: string
  children: React.ReactNode
}

/** Segment of a text: plain, or a link if it has `href`. */
interface Part {
  at: number
  part: string
  href?: string
}

/** Matches URLs in a text. A link begins with its scheme: 'javascript:' and the like stay text. */
const LINK = /\bhttps?:\/\/[^\s<>"']+/gi
/** Matches punctuation that ends a sentence and is not part of a link. */
const SENTENCE_END = /(?<![.,;:!?)\]}…。、])[.,;:!?)\]}…。、]+$/

/**
 * Divides a plain text at its http and https links; joined, the parts are the text. Punctuation after a link is not part of
 * it. A link that `targetOf` rejects stays text.
 * @param origin origin of the portal
 */
export function splitLinks(text: string, origin: string): Part[] {
  const parts: Part[] = []
  let end = 0
  /** Adds the text up to a position as a plain part. */
  const addText = (to: number) => {
    if (to > end) parts.push({ at: end, part: text.slice(end, to) })
  }
  for (const match of text.matchAll(LINK)) {
    const part = match[0].replace(SENTENCE_END, '')
    const target = URL.canParse(part) ? targetOf(part, origin) : undefined
    if (target === undefined) continue
    addText(match.index)
    parts.push({ at: match.index, part, href: target.href })
    end = match.index + part.length
  }
  addText(text.length)
  return parts
}

/** Target of a link in a notice. */
interface Target {
  href: string
  /** True for a page of the portal, false for any other target. */
  isPage: boolean
}

/**
 * Returns the target of a link in a notice: a web page, an email address, or a page of the portal that has the
 * menu (rules/notices#text-of-a-notice).
 * @param origin origin of the portal, against which relative links are read
 * @returns undefined for any other link. It might run a script, log the user out, or imitate another site by a
 * name before an @
 */
export function targetOf(href: string, origin: string): Target | undefined {
  if (!URL.canParse(href, origin)) return undefined
  const url = new URL(href, origin)
  if (url.protocol === 'mailto:') return { href: url.href, isPage: false }
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  if (url.origin !== origin) return { href: url.href, isPage: false }
  return Object.hasOwn(framedPages, url.pathname)
    ? { href: url.pathname + url.search + url.hash, isPage: true }
    : undefined
}
