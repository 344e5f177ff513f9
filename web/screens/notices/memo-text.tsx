import { linked } from './links.ts'

/** A memo as its author wrote it: text with its line breaks, its web addresses as links. Never HTML. */
export function MemoText({ text, newWindow }: { text: string; newWindow: string }) {
  return linked(text).map(({ at, part, href }) =>
    href === undefined ? (
      part
    ) : (
      <a key={at} href={href} target="_blank" rel="noopener noreferrer">
        {part}
        <span className="visually-hidden"> ({newWindow})</span>
      </a>
    ),
  )
}
