import type { FastifyRequest } from 'fastify'
import { API_BASE, SESSION_BINDING_HEADER } from '../../contract/envelope.ts'
import { hashToken, newSecret } from './bearer-tokens.ts'

/*
 * A session that a page of the portal starts is bound to a cookie that no script can read (rules/account#session-cookie, design/sessions#session-cookie).
 * The cookie is named after its session: cookies ignore ports, so another portal on the same host would overwrite a fixed name.
 */
const nameFor = (tokenHash: Buffer) => `maru_${tokenHash.toString('hex', 0, 8)}`

/** Returns the hash of the secret that a request carries for this session; null without its cookie. */
export function bindingOf({ headers }: FastifyRequest, tokenHash: Buffer): Buffer | null {
  const start = `${nameFor(tokenHash)}=`
  const pair = headers.cookie
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(start))
  return pair === undefined ? null : hashToken(pair.slice(start.length))
}

/** Sets and clears the cookies of a call that starts or ends sessions. */
export interface SessionCookies {
  /**
   * Binds a new session if the page asked for it, and clears the cookie of the session that it replaces.
   * @returns the hash of its secret; null for a client that sent no SESSION_BINDING_HEADER
   */
  bind(tokenHash: Buffer, replaced: Buffer | undefined): Buffer | null
  clear(tokenHash: Buffer): void
  /** The values of Set-Cookie. To be sent only if the call succeeds. */
  readonly lines: readonly string[]
}

/** @param maxAgeSeconds the absolute limit of sessions */
export function createSessionCookies(request: FastifyRequest, maxAgeSeconds: number): SessionCookies {
  const lines: string[] = []
  // The protocol that the proxy states, if TRUST_PROXY names one. A browser drops a Secure cookie over plain HTTP.
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const set = (tokenHash: Buffer, value: string, seconds: number) =>
    lines.push(
      `${nameFor(tokenHash)}=${value}; Path=${API_BASE}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
    )
  const clear = (tokenHash: Buffer) => {
    if (bindingOf(request, tokenHash) !== null) set(tokenHash, '', 0)
  }
  return {
    bind(tokenHash, replaced) {
      if (replaced !== undefined) clear(replaced)
      if (request.headers[SESSION_BINDING_HEADER.toLowerCase()] !== 'cookie') return null
      const secret = newSecret()
      set(tokenHash, secret, maxAgeSeconds)
      return hashToken(secret)
    },
    clear,
    lines,
  }
}
