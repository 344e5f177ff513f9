import * as z from 'zod/mini'
import { filter, line } from './fields.ts'

/** An office in the footer; the first is the head office (rules/settings#offices). */
export const office = z.strictObject({
  name: line(50),
  address: line(200),
  phone: filter(30),
  fax: filter(30),
})
/** The same, as it is shown. */
export type Office = z.output<typeof office>

/** Where people open the portal: http or https, a host and perhaps a port; '' for none (rules/settings#portal-address). */
export const portalUrl = z.pipe(
  filter(200).check(z.refine((text) => text === '' || isPortalUrl(text), 'portalUrlFormat')),
  z.transform((text) => (text === '' ? '' : new URL(text).origin)),
)

function isPortalUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, pathname, search, hash } = new URL(text)
  return (
    (protocol === 'https:' || protocol === 'http:') &&
    hostname !== '' &&
    username + search + hash === '' &&
    pathname === '/'
  )
}
