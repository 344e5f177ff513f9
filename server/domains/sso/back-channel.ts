import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify, type RemoteJWKSet } from 'jose'
import { API_BASE } from '../../../contract/envelope.ts'
import { Refusal } from '../../../contract/errors.ts'
import { BACK_CHANNEL_PATH } from '../../../contract/sso.ts'
import { addressOf } from '../../callers/client-address.ts'
import type { Db } from '../../db/database.ts'
import type { Services } from '../../http/handler.ts'
import { recordAudit } from '../../records/audit.ts'
import { OutboundError } from '../../services/outbound.ts'
import { keyUrlOf, type ProviderCall } from './openid.ts'
import { findProvider, type Provider } from './queries.ts'

/** Limit of logout calls per network and minute: each makes the server read from the provider. */
const LIMIT = { points: 120, seconds: 60 }
/** Seconds by which the clock of a provider may be wrong. */
const CLOCK_SECONDS = 60
/** Name of the event that a logout token must contain. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Accepted signatures, all by a private key. A token that is signed with a shared secret proves nothing here. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Parts of the app that the logout call needs. */
interface Parts {
  db: Db
  services: Services
}

/** Keys of providers, by their URL. jose reads them again for an unknown key, at most every 30 seconds. */
const keySets = new Map<string, RemoteJWKSet>()

/**
 * Mounts the call with which a provider ends the sessions of a user, without a session of its own (OpenID Connect
 * Back-Channel Logout, rules/sso#logout-by-the-provider). It answers 200, also if nothing ended, or 400 for an invalid
 * token, whose reason it logs.
 */
export function mountBackChannel(app: FastifyInstance, { db, services }: Parts): void {
  app.post<{ Params: { providerId: string } }>(
    `${API_BASE}${BACK_CHANNEL_PATH}/:providerId`,
    async (request, reply) => {
      const address = addressOf(request)
      await services.limits.use('sso-back-channel', LIMIT, address)
      reply.header('Cache-Control', 'no-store')
      const token =
        new URLSearchParams((request.body as Buffer | undefined)?.toString()).get('logout_token') ?? ''
      const { providerId } = request.params
      try {
        if (!services.config.sso || !/^\d{1,18}$/.test(providerId)) return await reply.code(400).send(INVALID)
        const provider = await findProvider(db, providerId)
        const { sub, iat } = await claimsOf({ services, log: request.log }, provider, token)
        await endSessions(
          db,
          provider,
          { subject: sub, until: iat + CLOCK_SECONDS },
          { address, requestId: request.id },
        )
        return await reply.code(200).send()
      } catch (error) {
        if (!isInvalid(error)) throw error
        request.log.warn(
          { provider: providerId, reason: error.message },
          'a logout by an identity provider was refused',
        )
        return reply.code(400).send(INVALID)
      }
    },
  )
}

/** Body of the response to an invalid token. */
const INVALID = JSON.stringify({ error: 'invalid_request' })

/** Returns whether an error means an invalid token or a provider that failed, rather than a failure of this server. */
const isInvalid = (error: unknown): error is Error =>
  error instanceof errors.JOSEError || error instanceof Refusal || error instanceof OutboundError

/**
 * Returns the subject and the time of a logout token.
 * @throws {JOSEError} if it is not a valid logout token of this provider for Maru
 * @throws {Refusal} as `keyUrlOf`
 * @throws {OutboundError} if the keys cannot be read
 */
async function claimsOf(
  call: ProviderCall,
  provider: Provider,
  token: string,
): Promise<{ sub: string; iat: number }> {
  const { payload } = await jwtVerify<JWTPayload & { events?: Record<string, unknown>; nonce?: unknown }>(
    token,
    await keysOf(call, provider),
    {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'jti', 'events', 'sub'],
      maxTokenAge: 2 * CLOCK_SECONDS,
      clockTolerance: CLOCK_SECONDS,
    },
  )
  const { sub = '', iat = 0, events, nonce } = payload
  // Without this check an ID token would end sessions.
  if (typeof events?.[EVENT] !== 'object' || nonce !== undefined)
    throw new errors.JWTInvalid('not a logout token')
  return { sub, iat }
}

/**
 * Returns the keys of a provider, which are read when they are used.
 * @throws {Refusal} as `keyUrlOf`
 */
async function keysOf(call: ProviderCall, provider: Provider): Promise<RemoteJWKSet> {
  const known = keySets.get(provider.issuer)
  if (known !== undefined) return known
  const keySet = createRemoteJWKSet(await keyUrlOf(call, provider), {
    [customFetch]: (target, { method, headers }) =>
      call.services.outbound(target, { method, headers: Object.fromEntries(headers) }),
  })
  keySets.set(provider.issuer, keySet)
  return keySet
}

/**
 * Ends the sessions and waiting logins of a user that began by a provider before the logout, and writes an audit row if
 * a session ended. A later session stays, so that a repeated token ends nothing new. Does nothing if the provider names
 * users by another claim than `sub`.
 * @param subject subject of the user at the provider
 * @param until seconds since 1970; sessions that began later stay
 */
async function endSessions(
  db: Db,
  { id: providerId, name, subjectClaim }: Provider,
  { subject, until }: { subject: string; until: number },
  from: { address: string; requestId: string },
): Promise<void> {
  // The token names people by `sub` alone.
  if (subjectClaim !== 'sub') return
  await db.transaction().execute(async (tx) => {
    const person = await tx
      .selectFrom('identities as i')
      .innerJoin('users as u', 'u.id', 'i.userId')
      .select(['u.id', 'u.loginId'])
      .where('i.providerId', '=', providerId)
      .where('i.subject', '=', subject)
      .executeTakeFirst()
    if (person === undefined) return
    const isOver = sql<boolean>`created_at <= to_timestamp(${until})`
    const { numDeletedRows } = await tx
      .with('tickets', (with_) =>
        with_.deleteFrom('loginTickets').where('userId', '=', person.id).where('providerId', '=', providerId),
      )
      .deleteFrom('sessions')
      .where('userId', '=', person.id)
      .where('providerId', '=', providerId)
      .where(isOver)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return
    const detail = { by: 'sso', providerName: name, endedSessions: Number(numDeletedRows) }
    await recordAudit(tx, {
      action: 'account.logout',
      target: person.loginId,
      detail,
      records: null,
      ...from,
    })
  })
}
