import { framedPages } from '../../../../contract/pages.ts'

/** Where a link of a notice leads. */
export interface Target {
  href: string
  /** One of our own pages, outside is whatever else. */
  isPage: boolean
}

/**
 * Where a link may lead: to the web, to a mail, to a page with the menu; undefined for anything else, as what would run a
 * script, log somebody out, or pass for another site by the name before its @ (rules/notices#text-of-a-notice).
 * @param origin where the portal is open
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
