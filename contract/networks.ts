import * as z from 'zod/mini'
import { line } from './fields.ts'

/** An IP address, or a network in CIDR notation. */
const addresses = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()])

/** Returns whether a text is an IPv4 or IPv6 address, or a network in CIDR notation. False for '' and a host name. */
export function isNetwork(text: string): boolean {
  return z.safeParse(addresses, text).success
}

/** An IP address, or a network such as 10.0.0.0/8 or 2001:db8::/32, in lower case; otherwise 'networkFormat'. */
export const network = line(50).check(z.toLowerCase(), z.refine(isNetwork, 'networkFormat'))
