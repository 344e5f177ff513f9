import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** What proves itself with a token instead of a session: a service that verifies keys, a program that issues them. */
type Holder = 'service' | 'program'

const PREFIX = { service: 'maru-service-', program: 'maru-program-' } as const

/** A new token: 256 random bits after words by which a leaked one can be recognized. */
export function newToken(holder: Holder): string {
  return PREFIX[holder] + newSecret()
}

/** Returns 256 random bits in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The form in which a token is kept: its SHA-256. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** What a request carries as `Authorization: Bearer …`. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** The token of a program that a request carries, whether it is worth anything or not. */
export function programTokenOf(request: FastifyRequest): string | undefined {
  const token = bearerOf(request)
  return token?.startsWith(PREFIX.program) === true ? token : undefined
}

/**
 * Whether a row of `program_tokens` or `service_tokens` is the one of this hash, by its secret or by the one before it, as a
 * condition of SQL; `$1` is the hash.
 * @param tokens the row that is asked about, by its alias
 */
export const isTokenOf = (tokens: string) =>
  `(${tokens}.token_hash = $1 or (${tokens}.previous_hash = $1 and ${tokens}.previous_until > now()))`
