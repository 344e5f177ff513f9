import type { FastifyRequest } from 'fastify'
import { API_BASE, SESSION_BINDING_HEADER } from '../../contract/envelope.ts'
import { hashToken, newSecret } from './bearer-tokens.ts'

/**
 * Returns the name of the cookie of a session or trusted device. No script can read the cookie (rules/account#session-cookie,
 * design/sessions#session-cookie). The name contains the start of the hash, because cookies ignore ports: another portal on the
 * same host would overwrite a fixed name.
 */
const nameFor = (tokenHash: Buffer) => `maru_${tokenHash.toString('hex', 0, 8)}`

/**
 * Returns the hash of the secret in the cookie of this session; null if the request has no such cookie.
 * @param tokenHash hash of the sessionUid
 */
export function bindingOf({ headers }: FastifyRequest, tokenHash: Buffer): Buffer | null {
  const start = `${nameFor(tokenHash)}=`
  const pair = headers.cookie
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(start))
  return pair === undefined ? null : hashToken(pair.slice(start.length))
}

/**
 * Returns the hash that names the cookie of a user's trusted device: each user of a browser has their own.
 * @param userId users.id
 */
const trustFor = (userId: string) => hashToken(`trusted-device ${userId}`)

/** Reader and writer of the cookies of a call that starts or ends sessions. */
export interface SessionCookies {
  /**
   * Creates the cookie of a new session if the page asked for it, and clears the cookie of the session that it replaces.
   * @param replaced hash of the replaced sessionUid
   * @returns the hash of the cookie's secret, to be stored with the session; null for a client that sent no
   * SESSION_BINDING_HEADER
   */
  bind(tokenHash: Buffer, replaced: Buffer | undefined): Buffer | null
  /** Clears the cookie of a session, if the request has it. */
  clear(tokenHash: Buffer): void
  /**
   * Creates the cookie of a device that a user trusts for a number of days (rules/account#trusted-devices).
   * @returns the hash of its secret; null for a client that sent no SESSION_BINDING_HEADER
   */
  trust(userId: string, days: number): Buffer | null
  /** Returns the hash of the secret in the cookie of a trusted device of this user; null if the request has no such cookie. */
  trustOf(userId: string): Buffer | null
  /** Values of Set-Cookie. The caller sends them only if the call succeeds. */
  readonly lines: readonly string[]
}

/**
 * Creates the reader and writer of a call's cookies.
 * @param maxAgeSeconds time for which the browser stores the cookie of a session: the absolute limit of sessions
 */
export function createSessionCookies(request: FastifyRequest, maxAgeSeconds: number): SessionCookies {
  const lines: string[] = []
  // The protocol that the proxy states, if TRUST_PROXY names one. A browser drops a Secure cookie over plain HTTP.
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const set = (tokenHash: Buffer, value: string, seconds: number) =>
    lines.push(
      `${nameFor(tokenHash)}=${value}; Path=${API_BASE}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
    )
  /** Adds a cookie with a new secret, and returns its hash; null if the client does not ask for cookies. */
  function setSecret(tokenHash: Buffer, seconds: number): Buffer | null {
    if (request.headers[SESSION_BINDING_HEADER.toLowerCase()] !== 'cookie') return null
    const secret = newSecret()
    set(tokenHash, secret, seconds)
    return hashToken(secret)
  }
  const clear = (tokenHash: Buffer) => {
    if (bindingOf(request, tokenHash) !== null) set(tokenHash, '', 0)
  }
  return {
    bind(tokenHash, replaced) {
      if (replaced !== undefined) clear(replaced)
      return setSecret(tokenHash, maxAgeSeconds)
    },
    clear,
    trust: (userId, days) => setSecret(trustFor(userId), days * 24 * 60 * 60),
    trustOf: (userId) => bindingOf(request, trustFor(userId)),
    lines,
  }
}
