import { linked } from './links.ts'

/** A memo as its author wrote it: text with its line breaks, its web addresses as links. Never HTML. */
export function MemoText({ text, newWindow }: { text: string; newWindow: string }) {
  return linked(text).map(({ at, words, href }) =>
    href === undefined ? (
      words
    ) : (
      <a key={at} href={href} target="_blank" rel="noopener noreferrer">
        {words}
        <span className="visually-hidden"> ({newWindow})</span>
      </a>
    ),
  )
}
