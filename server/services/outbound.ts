import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { messageOf } from '../caught-errors.ts'

/** Milliseconds until a whole answer must have arrived. */
const TIMEOUT_MS = 10_000
/** Maximum size of an answer in bytes. */
const MAX_ANSWER_BYTES = 1_000_000

/** Reason for which a request has no answer. */
export type OutboundFailure = 'REFUSED_TARGET' | 'UNREACHABLE' | 'TIMEOUT' | 'ANSWER_TOO_LARGE'

/** A request that has no answer. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure
  constructor(failure: OutboundFailure, message: string) {
    super(message)
    this.name = 'OutboundError'
    this.failure = failure
  }
}

/** The options of `fetch` that `Outbound` supports. */
export interface OutboundRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | null
}

/**
 * Sends a request to another server (rules/running#outbound-requests). Follows no redirect: the answer is the redirect.
 * @throws {OutboundError}
 */
export type Outbound = (url: string, request?: OutboundRequest) => Promise<Response>

// Clouds serve the credentials of a machine on these addresses. Private networks pass: a company's servers are there.
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

// All other IPv6 addresses are local, or another notation of an IPv4 address.
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
global6.addSubnet('fc00::', 7, 'ipv6')
const embedding6 = new BlockList()
embedding6.addSubnet('2001::', 32, 'ipv6')
embedding6.addSubnet('2002::', 16, 'ipv6')
embedding6.addAddress('fd00:ec2::254', 'ipv6')

/** Returns whether requests may be sent to an IP address. */
export function isAllowedAddress(address: string): boolean {
  if (isIP(address) === 4) return !refused.check(address, 'ipv4')
  return isIP(address) === 6 && global6.check(address, 'ipv6') && !embedding6.check(address, 'ipv6')
}

const refusal = (target: string) =>
  new OutboundError(
    'REFUSED_TARGET',
    `Maru sends no request to ${target}. OUTBOUND_ALLOW can allow a host of this machine or network.`,
  )

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void

/** Resolves a host name. Fails if any address is refused, so that a name cannot alternate between two. */
function lookupAllowed(host: string, options: LookupOptions, done: LookupCallback): void {
  resolve(host, { ...options, all: true }, (error, found) => {
    const [first] = found ?? []
    if (error !== null || first === undefined) return done(error ?? refusal(host), [])
    if (!found.every(({ address }) => isAllowedAddress(address))) return done(refusal(host), [])
    if (options.all === true) done(null, found)
    else done(null, first.address, first.family)
  })
}

/**
 * Checks a URL.
 * @throws {OutboundError} REFUSED_TARGET
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

/** Returns whether requests to a URL are refused whatever its host name resolves to. */
export function isRefusedTarget(url: string, trustedHosts: readonly string[]): boolean {
  try {
    checkedUrl(url, (host) => trustedHosts.includes(host))
    return false
  } catch (error) {
    if (error instanceof OutboundError) return true
    throw error
  }
}

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

/** Creates the client of all requests to other servers. Requests to trusted hosts may use http and any address. */
export function createOutbound(trustedHosts: readonly string[], timeoutMs = TIMEOUT_MS): Outbound {
  const isTrusted = (host: string) => trustedHosts.includes(host)

  return async (text, { method = 'GET', headers = {}, body } = {}) => {
    const url = checkedUrl(text, isTrusted)
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await new Promise<IncomingMessage>((resolved, rejected) => {
        send(url, {
          method,
          headers,
          signal,
          // A kept connection would outlive the check of its address.
          agent: false,
          ...(!isTrusted(url.hostname.replace(/^\[|\]$/g, '')) && { lookup: lookupAllowed }),
        })
          .on('response', resolved)
          .on('error', rejected)
          .end(body ?? undefined)
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
