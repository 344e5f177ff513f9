import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { bearerOf, hashToken, isTokenOf } from './tokens.ts'

/** A program that makes a call with a service token (access `service`). */
export interface ServiceCaller {
  /** service_tokens.id; not called `id`, because only people stand in the audit trail as actors. */
  serviceId: string
  name: string
}

/** Whose token a request carries as `Authorization: Bearer …`; null without one, or when it is unknown, over or revoked. */
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
  // Shows whether a token is still in use; not worth a write with every call.
  if (row.stale) await pool.query('update service_tokens set last_used_at = now() where id = $1', [row.id])
  return { serviceId: row.id, name: row.name }
}
