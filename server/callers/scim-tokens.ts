import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { refuse } from '../../contract/errors.ts'
import { bearerOf, hashToken } from './bearer-tokens.ts'

/** An identity provider that makes a SCIM request with its token (access `provider`). */
export interface ProviderCaller {
  /** identity_providers.id. Not named `id`, because only users are actors in the audit log. */
  providerId: string
  /** Name of the provider. */
  name: string
}

/** Row of a SCIM token and its provider. */
interface TokenRow {
  id: string
  provider_id: string
  name: string
  /** False if the provider is disabled. */
  is_enabled: boolean
  /** True if the stored time of the last use is more than a minute old, or if there is none. */
  stale: boolean
}

/**
 * Returns the identity provider of a request's bearer token (rules/scim#tokens). Stores the last use of the token, at most once a
 * minute.
 * @throws {Refusal} SCIM_TOKEN_REQUIRED without a known token, SCIM_PROVIDER_OFF if the provider is disabled
 */
export async function requireScimProvider(pool: pg.Pool, request: FastifyRequest): Promise<ProviderCaller> {
  const token = bearerOf(request) ?? refuse('SCIM_TOKEN_REQUIRED')
  const { rows } = await pool.query<TokenRow>({
    name: 'find-scim-token',
    text: `select t.id, t.provider_id, p.name, p.enabled_at is not null as is_enabled,
        coalesce(t.last_used_at < now() - interval '1 minute', true) as stale
      from scim_tokens t join identity_providers p on p.id = t.provider_id where t.token_hash = $1`,
    values: [hashToken(token)],
  })
  const row = rows[0] ?? refuse('SCIM_TOKEN_REQUIRED')
  // At most once a minute: it only shows whether a token is still in use.
  if (row.stale) await pool.query('update scim_tokens set last_used_at = now() where id = $1', [row.id])
  if (!row.is_enabled) refuse('SCIM_PROVIDER_OFF')
  return { providerId: row.provider_id, name: row.name }
}
