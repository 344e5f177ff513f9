import { linked } from './links.ts'

/** Text whose web addresses are links. Never HTML. */
export function LinkedText({ text, newWindow }: { text: string; newWindow: string }) {
  return linked(text).map(({ at, part, href }) =>
    href === undefined ? (
      part
    ) : (
      <OutsideLink key={at} href={href} newWindow={newWindow}>
        {part}
      </OutsideLink>
    ),
  )
}

/** A link out of the portal: the notice stays where it is, and the other site is not told of it. */
export function OutsideLink({ href, newWindow, children }: LinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> ({newWindow})</span>
    </a>
  )
}

interface LinkProps {
  href: string
  newWindow: string
  children: React.ReactNode
}
