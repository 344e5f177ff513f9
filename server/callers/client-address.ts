import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIP, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'

/** Returns Fastify's option `trustProxy` for TRUST_PROXY. A number trusts that many nearest proxies. */
export function trustOf(
  proxies: Config['trustProxy'],
): false | string | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/**
 * Returns the client's IP address, after TRUST_PROXY. A trusted proxy may forward a header that the client has made up: if it is
 * no address, the proxy's address counts.
 */
export function addressOf(request: FastifyRequest): string {
  const cached = addresses.get(request)
  if (cached !== undefined) return cached
  // Fastify computes it with every access.
  const { ip } = request
  const address = isIP(ip) === 0 ? (request.socket.remoteAddress ?? '') : ip
  addresses.set(request, address)
  return address
}

/** Address of each request, computed once. */
const addresses = new WeakMap<FastifyRequest, string>()

/**
 * Warns once in the log when a request has X-Forwarded-For: all clients behind that proxy count as one address. Call it
 * only if TRUST_PROXY is not set.
 */
export function watchForProxy(app: FastifyInstance): void {
  let hasWarned = false
  app.addHook('onRequest', async ({ headers }) => {
    if (hasWarned || headers['x-forwarded-for'] === undefined) return
    hasWarned = true
    app.log.warn(
      'A request has X-Forwarded-For, but TRUST_PROXY is not set, so all clients behind the proxy share one address. Set TRUST_PROXY to the proxy.',
    )
  })
}

/**
 * Returns the network of an address: an IPv4 address itself, an IPv6 address's /64, of which a client may use any address.
 * Another text is returned as it is.
 */
export function networkOf(address: string): string {
  const groups = groupsOf(address)
  return typeof groups === 'string' ? groups : `${groups.slice(0, 4).join(':')}::/64`
}

/** Returns the /48 of an IPv6 address, which one customer may have: 65,536 networks. Undefined for any other text. */
export function siteOf(address: string): string | undefined {
  const groups = groupsOf(address)
  return typeof groups === 'string' ? undefined : `${groups.slice(0, 3).join(':')}::/48`
}

/**
 * Returns the eight groups of an IPv6 address. Any other text is returned as it is, and an IPv4 address that is written as IPv6
 * in its usual form.
 */
function groupsOf(address: string): string[] | string {
  if (!isIPv6(address)) return address
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  // A URL normalizes the spelling.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [front = [], back = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((groups) => groups.split(':').filter(Boolean))
  const zeros = Array<string>(8 - front.length - back.length).fill('0')
  const groups = [...front, ...zeros, ...back]
  // IPv4, written as IPv6 in hexadecimal.
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups.slice(6))
  return groups
}

/** Returns the IPv4 address in the last two groups of an IPv6 address, in dotted notation. */
function ipv4Of(groups: string[]): string {
  const bytes = groups.map((group) => Number.parseInt(group, 16)).flatMap((pair) => [pair >> 8, pair & 255])
  return bytes.join('.')
}

/** Pattern of this machine's own addresses. */
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** Returns whether a request comes from this machine, and not through a proxy on it. */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '')
}
