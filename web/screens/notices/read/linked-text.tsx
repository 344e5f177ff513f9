import { linked } from './links.ts'

/** Text whose web addresses are links. Never HTML. */
export function LinkedText({ text, origin, newWindow }: LinkedTextProps) {
  return linked(text, origin).map(({ at, part, href }) =>
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

interface LinkedTextProps {
  text: string
  /** Where the portal is open. */
  origin: string
  /** The hint on a link that opens a window. */
  newWindow: string
}

interface LinkProps {
  href: string
  newWindow: string
  children: React.ReactNode
}
