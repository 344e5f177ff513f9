import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { bearerOf, hashToken, isTokenOf } from './bearer-tokens.ts'

/** A service that verifies keys and makes a call with its token (access `service`). */
export interface ServiceCaller {
  /** service_tokens.id. Not named `id`, because only users are actors in the audit log. */
  serviceId: string
  /** Name of the service. */
  name: string
}

/**
 * Returns the service of a request's bearer token, and stores its last use, at most once a minute.
 * @returns null if there is no token, or if it is unknown, expired or revoked
 */
export async function findService(pool: pg.Pool, request: FastifyRequest): Promise<ServiceCaller | null> {
  const token = bearerOf(request)
  if (token === undefined) return null
  const { rows } = await pool.query<{ id: string; name: string; stale: boolean }>({
    name: 'find-service',
    text: `select id, name, coalesce(last_used_at < now() - interval '1 minute', true) as stale
      from service_tokens s
      where ${isTokenOf('s')} and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [hashToken(token)],
  })
  const [row] = rows
  if (row === undefined) return null
  // At most once a minute: it only shows whether a token is still in use.
  if (row.stale) await pool.query('update service_tokens set last_used_at = now() where id = $1', [row.id])
  return { serviceId: row.id, name: row.name }
}
