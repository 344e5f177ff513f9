import { ADDRCONFIG, type LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { messageOf } from '../caught-errors.ts'

/** Milliseconds until a whole response must have arrived. */
const TIMEOUT_MS = 10_000
/** Most bytes of a response. */
const MAX_ANSWER_BYTES = 1_000_000
/**
 * Milliseconds that an unused connection is kept: less than servers keep one, so that few requests meet a closed one.
 */
const KEPT_MS = 1000

/** Reason for which a request has no response. */
export type OutboundFailure = 'REFUSED_TARGET' | 'UNREACHABLE' | 'TIMEOUT' | 'ANSWER_TOO_LARGE'

/** Error of a request that has no response. */
export class OutboundError extends Error {
  /** Reason of the failure. */
  readonly failure: OutboundFailure
  constructor(failure: OutboundFailure, message: string) {
    super(message)
    this.name = 'OutboundError'
    this.failure = failure
  }
}

/** Options of `fetch` that `Outbound` supports. */
export interface OutboundRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | null
  /** Whether a kept connection may be used. If the server has closed it, the request is sent again, so it must be repeatable. */
  isRepeatable?: boolean
}

/**
 * Function that sends a request to another server (rules/running#outbound-requests), with a time limit of 10 seconds. It follows
 * no redirect: the response is the redirect. An error status is a response, too.
 * @throws {OutboundError} if there is no response, or requests to the target are not allowed
 */
export type Outbound = (url: string, request?: OutboundRequest) => Promise<Response>

/**
 * IPv4 networks to which no request is sent. On some of these addresses clouds serve the credentials of a machine. Private
 * networks are not included, because a company's servers are there.
 */
const refused = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['192.0.0.0', 24],
  ['224.0.0.0', 3],
] as const)
  refused.addSubnet(network, prefix, 'ipv4')

/** IPv6 networks to which requests may be sent. All other IPv6 addresses are local, or another notation of an IPv4 address. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
global6.addSubnet('fc00::', 7, 'ipv6')
/**
 * IPv6 networks within `global6` to which no request is sent: other notations of IPv4 addresses, and the metadata of a cloud.
 */
const embedding6 = new BlockList()
embedding6.addSubnet('2001::', 32, 'ipv6')
embedding6.addSubnet('2002::', 16, 'ipv6')
embedding6.addAddress('fd00:ec2::254', 'ipv6')

/**
 * Returns whether requests may be sent to an IP address: not to this machine, the metadata of a cloud, or a multicast
 * address. Private networks are allowed. False for a text that is no IP address.
 */
export function isAllowedAddress(address: string): boolean {
  if (isIP(address) === 4) return !refused.check(address, 'ipv4')
  return isIP(address) === 6 && global6.check(address, 'ipv6') && !embedding6.check(address, 'ipv6')
}

/** Returns the error of a request that is not sent. */
const refusal = (target: string) =>
  new OutboundError(
    'REFUSED_TARGET',
    `Maru sends no request to ${target}. OUTBOUND_ALLOW can allow a host of this machine or network.`,
  )

/**
 * Returns the addresses of a host.
 * @throws {OutboundError} REFUSED_TARGET if an untrusted host has an address that is not allowed, so that a name cannot alternate
 * between two, or none
 */
async function checkedAddresses(
  host: string,
  isTrusted: boolean,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  const found = isIP(host) === 0 ? await resolve(host) : [{ address: host, family: isIP(host) }]
  if (found.length === 0 || !(isTrusted || found.every(({ address }) => isAllowedAddress(address))))
    throw refusal(host)
  return found
}

/** Function that returns the addresses of a host name. */
type Resolve = (host: string) => Promise<LookupAddress[]>

/** Resolves a host name with the system's resolver. */
const resolveName: Resolve = (host) => lookup(host, { all: true, hints: ADDRCONFIG })

/** Returns a lookup that resolves every name to the checked addresses, so that these are the ones connected to. */
const lookupOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_, { all }, done) => {
    const [first] = addresses
    if (all === true) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }

/** Options of a request, with the checked addresses of its host. */
interface CheckedOptions extends RequestOptions {
  /** Checked addresses of the host, as one text. */
  addresses: string
}

/**
 * Makes an agent share a connection only between requests whose host has the same addresses, which are checked with
 * each request.
 */
function byAddresses<A extends HttpAgent>(agent: A): A {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options?: Partial<CheckedOptions>) => `${nameOf(options)}:${options?.addresses}`
  return agent
}

/**
 * Returns a URL to which requests are allowed: https, or http to a trusted host, without user and password.
 * @throws {OutboundError} REFUSED_TARGET for any other
 */
function checkedUrl(text: string, isTrusted: (host: string) => boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw refusal('an invalid URL')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isPlain = url.protocol === 'http:' && isTrusted(host)
  if ((url.protocol !== 'https:' && !isPlain) || url.username !== '' || url.password !== '')
    throw refusal(`${url.protocol}//${url.host}`)
  // A literal address is never looked up.
  if (isIP(host) !== 0 && !isTrusted(host) && !isAllowedAddress(host)) throw refusal(host)
  return url
}

/**
 * Returns whether requests to a URL are refused for any address of its host name: it is no https URL, or its host is an
 * address that is not allowed.
 * @param trustedHosts hosts of OUTBOUND_ALLOW, to which http and any address are allowed
 */
export function isRefusedTarget(url: string, trustedHosts: readonly string[]): boolean {
  try {
    checkedUrl(url, (host) => trustedHosts.includes(host))
    return false
  } catch (error) {
    if (error instanceof OutboundError) return true
    throw error
  }
}

/**
 * Reads a response.
 * @throws {OutboundError} ANSWER_TOO_LARGE above MAX_ANSWER_BYTES
 */
async function bodyOf(answer: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.byteLength
    if (size > MAX_ANSWER_BYTES)
      throw new OutboundError('ANSWER_TOO_LARGE', `The answer is larger than ${MAX_ANSWER_BYTES} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Returns a promise that rejects with the reason of a signal when the signal aborts, and never resolves. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/**
 * Creates the client of all requests to other servers. Requests to trusted hosts may use http and any address.
 * @param trustedHosts hosts of OUTBOUND_ALLOW
 * @param timeoutMs time until the whole response must have arrived
 * @param resolve replaces the resolver of the system in tests
 */
export function createOutbound(
  trustedHosts: readonly string[],
  timeoutMs = TIMEOUT_MS,
  resolve = resolveName,
): Outbound {
  const isTrusted = (host: string) => trustedHosts.includes(host)
  const kept = { keepAlive: true, timeout: KEPT_MS }
  const agents = { http: byAddresses(new HttpAgent(kept)), https: byAddresses(new HttpsAgent(kept)) }

  return async (text, { method = 'GET', headers = {}, body, isRepeatable = false } = {}) => {
    const url = checkedUrl(text, isTrusted)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const isSecure = url.protocol === 'https:'
    const signal = AbortSignal.timeout(timeoutMs)
    let request: ClientRequest | undefined
    const sent = (addresses: LookupAddress[], agent: HttpAgent | false) =>
      new Promise<IncomingMessage>((resolved, rejected) => {
        const options: CheckedOptions = {
          method,
          headers,
          signal,
          agent,
          lookup: lookupOf(addresses),
          addresses: addresses
            .map(({ address }) => address)
            .toSorted()
            .join(),
        }
        request = (isSecure ? requestHttps : requestHttp)(url, options)
          .on('response', resolved)
          .on('error', rejected)
          .end(body ?? undefined)
      })
    try {
      const addresses = await Promise.race([
        checkedAddresses(host, isTrusted(host), resolve),
        aborted(signal),
      ])
      const agent = isRepeatable && (isSecure ? agents.https : agents.http)
      const answer = await sent(addresses, agent).catch((error: unknown) => {
        // The server closed the kept connection when the request was sent.
        if (request?.reusedSocket === true && !signal.aborted) return sent(addresses, false)
        throw error
      })
      const bytes = await bodyOf(answer)
      const status = answer.statusCode ?? 0
      return new Response(bytes.byteLength === 0 ? null : bytes, {
        status,
        headers: Object.entries(answer.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as [string, string]],
        ),
      })
    } catch (error) {
      if (error instanceof OutboundError) throw error
      if (signal.aborted)
        throw new OutboundError('TIMEOUT', `${url.host} did not answer within ${timeoutMs / 1000} seconds.`)
      throw new OutboundError('UNREACHABLE', `${url.host} cannot be reached: ${messageOf(error)}.`)
    }
  }
}
