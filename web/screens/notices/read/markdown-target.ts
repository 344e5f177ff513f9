import { framedPages } from '../../../../contract/pages.ts'

/** The target of a link in a notice. */
export interface Target {
  href: string
  /** True for a page of the portal, false for any other target. */
  isPage: boolean
}

/**
 * Returns the target of a link: a web page, an email address or a page with the menu. Undefined for any other link, for example one
 * that would run a script, log the user out, or imitate another site by the name before its @ (rules/notices#text-of-a-notice).
 * @param origin origin of the portal
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
