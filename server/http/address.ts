import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIP, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'

/** TRUST_PROXY in Fastify's words: of a number of proxies in a row, the nearest ones are trusted. */
export function trustOf(
  proxies: Config['trustProxy'],
): false | string | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/**
 * Where a call comes from, after TRUST_PROXY. A trusted proxy may still hand on what a client made up:
 * what is no address counts as the proxy's own.
 */
export function addressOf(request: FastifyRequest): string {
  const known = addresses.get(request)
  if (known !== undefined) return known
  // Looked for among the proxies anew each time.
  const { ip } = request
  const address = isIP(ip) === 0 ? (request.socket.remoteAddress ?? '') : ip
  addresses.set(request, address)
  return address
}

const addresses = new WeakMap<FastifyRequest, string>()

/** Says once that a proxy is in front which nobody named: whoever comes through it counts as one caller. */
export function watchForProxy(app: FastifyInstance): void {
  let isSaid = false
  app.addHook('onRequest', async ({ headers }) => {
    if (isSaid || headers['x-forwarded-for'] === undefined) return
    isSaid = true
    app.log.warn(
      'A call came with X-Forwarded-For, but TRUST_PROXY is not set: where a proxy is in front, all who come through it count as one address. Name it in TRUST_PROXY.',
    )
  })
}

/** Whose an address is: of IPv6 its /64, since one connection has as many addresses as it likes. */
export function networkOf(address: string): string {
  const groups = groupsOf(address)
  return typeof groups === 'string' ? groups : `${groups.slice(0, 4).join(':')}::/64`
}

/** Of IPv6 the /48 too, which one customer of a provider may have all of: 65,536 networks. */
export function siteOf(address: string): string | undefined {
  const groups = groupsOf(address)
  return typeof groups === 'string' ? undefined : `${groups.slice(0, 3).join(':')}::/48`
}

/** The eight groups of IPv6; whatever else as it is, and IPv4 as such however it is written. */
function groupsOf(address: string): string[] | string {
  if (!isIPv6(address)) return address
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  // A URL writes every address in one way.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [front = [], back = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((groups) => groups.split(':').filter(Boolean))
  const zeros = Array<string>(8 - front.length - back.length).fill('0')
  const groups = [...front, ...zeros, ...back]
  // IPv4, written as IPv6 in hexadecimal digits.
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups.slice(6))
  return groups
}

function ipv4Of(groups: string[]): string {
  const bytes = groups.map((group) => Number.parseInt(group, 16)).flatMap((pair) => [pair >> 8, pair & 255])
  return bytes.join('.')
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** Whether a program on this machine makes the call itself: not a proxy for somebody elsewhere. */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '')
}
