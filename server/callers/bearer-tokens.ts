import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/**
 * Owner of a token that is no session: a service that verifies keys, a user's program or program account, or an identity
 * provider.
 */
type Holder = 'service' | 'program' | 'scim'

/** Start of the text in an access-log row's detail that names the caller's token (rules/audit#access-log). */
export const TOKEN_MARK = 'token:'

/**
 * Returns the name of a token in the access log, such as `program/12`.
 * @param id ID of the token's row; for `scim` that of the identity provider
 */
export const tokenKey = (holder: Holder, id: string) => `${holder}/${id}`

/** Starts of tokens, by owner. */
const PREFIX = { service: 'maru-service-', program: 'maru-program-', scim: 'maru-scim-' } as const

/** Returns a new token: 256 random bits after a prefix by which a leaked token can be recognized. Stores nothing. */
export function newToken(holder: Holder): string {
  return PREFIX[holder] + newSecret()
}

/** Returns 256 random bits in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 of a token, which is stored instead of it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Returns the bearer token of a request; undefined without one. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** Returns the bearer token of a request if it has the prefix of program tokens, valid or not; undefined otherwise. */
export function programTokenOf(request: FastifyRequest): string | undefined {
  const token = bearerOf(request)
  return token?.startsWith(PREFIX.program) === true ? token : undefined
}

/**
 * Returns the SQL condition that a row of `program_tokens` or `service_tokens` has the hash `$1`: of its current
 * secret, or of the previous one while that is valid.
 * @param tokens alias of the table
 */
export const isTokenOf = (tokens: string) =>
  `(${tokens}.token_hash = $1 or (${tokens}.previous_hash = $1 and ${tokens}.previous_until > now()))`
