import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { IDToken } from 'openid-client'
import type pg from 'pg'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { SSO_REQUEST_SECONDS, SSO_SECONDS } from '../../../contract/sso.ts'
import type { Call } from '../../http/handler.ts'
import { claimsIn, loginUrlOf } from './openid.ts'
import { findProvider, type Provider, secretOf } from './queries.ts'

/** Purpose of a login at a provider: a session, a link with an account, a test (`try`), or a reauthentication (`confirm`). */
type Purpose = 'login' | 'link' | 'try' | 'confirm'

/** Part of a call that begins or finishes a login at a provider. */
type ExchangeCall = Pick<Call, 'db' | 'services' | 'log' | 'inTurn'> & { actor: { id: string } | null }

/** User whose identity a provider has proved. */
export interface Proven {
  provider: Provider
  subject: string
  claims: IDToken
  /** Time at which the login began. */
  begunAt: Date
}

/** Returns the SHA-256 of a text. */
const sha256 = (text: string) => createHash('sha256').update(text).digest()
/** Returns 256 random bits as text. */
const createRandom = () => randomBytes(32).toString('base64url')

/** Returns the user of an exchange, who must be the same at its end; null for a login, which a guest begins. */
const userOf = ({ actor }: ExchangeCall, purpose: Purpose) =>
  purpose === 'login' ? null : (actor?.id ?? null)

/** Returns whether a provider may be used. A test needs no enabled one. */
const isUsable = ({ services }: ExchangeCall, { enabledAt }: Provider, purpose: Purpose) =>
  purpose === 'try' || (services.config.sso && enabledAt !== null)

/**
 * Begins a login at a provider: stores the hash of a random state, bound to the browser, the purpose and the user, for
 * SSO_SECONDS.
 * @param binding random value that the browser keeps, and that `finishExchange` requires
 * @param check refuses a provider
 * @returns the URL of the provider, to which the browser goes
 * @throws {Refusal} SSO_PROVIDER_NOT_FOUND, also for a disabled provider except in a test; SSO_UNAVAILABLE if the
 * portal has no URL; those of `check`; and as `loginUrlOf`
 */
export async function beginExchange(
  call: ExchangeCall,
  purpose: Purpose,
  { providerId, binding }: { providerId: string; binding: string },
  check: (provider: Provider) => void = () => {},
): Promise<{ loginUrl: string }> {
  const { db, services, inTurn } = call
  const redirectUri = services.settings.link('/sso') ?? refuse('SSO_UNAVAILABLE')
  const provider = await inTurn(() => findProvider(db, providerId))
  check(provider)
  if (!isUsable(call, provider, purpose)) refuse('SSO_PROVIDER_NOT_FOUND')
  const [state, nonce, verifier] = [createRandom(), createRandom(), createRandom()]
  const challenge = sha256(verifier).toString('base64url')
  const loginUrl = await loginUrlOf(call, provider, {
    redirectUri,
    state,
    nonce,
    challenge,
    asksAgain: purpose === 'confirm',
  }).catch((error: unknown) => refuseAs(purpose, error))
  await inTurn(() =>
    db
      .insertInto('ssoStates')
      .values({
        stateHash: sha256(state),
        providerId: provider.id,
        providerVersion: provider.version,
        purpose,
        userId: userOf(call, purpose),
        nonce,
        verifier,
        bindingHash: sha256(binding),
      })
      .execute(),
  )
  return { loginUrl }
}

/**
 * Finishes a login at a provider (rules/sso#answer). Deletes the state first, so that no answer counts twice.
 * Begins no session.
 * @param binding the random value that the browser gave to `beginExchange`
 * @param answer the query with which the provider sent the browser back
 * @returns the proved identity; accounts are found only by the provider and the subject
 * @throws {Refusal} SSO_STATE_INVALID for an unknown, used or expired state, or one of another browser, purpose, user
 * or of previous settings; SSO_DOMAIN_REFUSED; SSO_ANSWER_INVALID without a subject; SSO_UNAVAILABLE;
 * SSO_PROVIDER_NOT_FOUND; and as `claimsIn`
 */
export async function finishExchange(
  call: ExchangeCall,
  purpose: Purpose,
  { binding, answer }: { binding: string; answer: string },
): Promise<Proven> {
  const { db, services, inTurn } = call
  const query = new URLSearchParams(answer)
  const [state = '', ...more] = query.getAll('state')
  if (more.length > 0) refuse('SSO_STATE_INVALID')
  const { provider, kept } = await inTurn(async () => {
    const row = await db
      .deleteFrom('ssoStates')
      .where('stateHash', '=', sha256(state))
      .where('bindingHash', '=', sha256(binding))
      .where('purpose', '=', purpose)
      .where(sql<boolean>`user_id is not distinct from ${userOf(call, purpose)}::bigint`)
      .where('createdAt', '>', sql<Date>`now() - make_interval(secs => ${sql.lit(SSO_SECONDS)})`)
      .returning(['providerId', 'providerVersion', 'nonce', 'verifier', 'createdAt'])
      .executeTakeFirst()
    if (row === undefined) return refuse('SSO_STATE_INVALID')
    return { provider: await findProvider(db, row.providerId), kept: row }
  })
  if (provider.version !== kept.providerVersion || !isUsable(call, provider, purpose))
    refuse('SSO_STATE_INVALID')
  const redirectUri = services.settings.link('/sso') ?? refuse('SSO_UNAVAILABLE')
  const secret = secretOf(services.keySecret, provider)
  const exchange = { redirectUri, state, nonce: kept.nonce, verifier: kept.verifier }
  const claims = await claimsIn(call, { provider, secret, query }, exchange).catch((error: unknown) =>
    refuseAs(purpose, error),
  )
  const subject = claims[provider.subjectClaim]
  // The database stores no NUL.
  if (typeof subject !== 'string' || subject === '' || subject.length > 255 || subject.includes('\0'))
    return refuse('SSO_ANSWER_INVALID')
  if (!isInDomain(provider, claims)) refuse('SSO_DOMAIN_REFUSED')
  return { provider, subject, claims, begunAt: kept.createdAt }
}

/**
 * Throws an error again. Removes the words of a provider from a refusal, unless it is of a test login: they are for
 * administrators.
 * @throws {Refusal} with the same code; any other error unchanged
 */
function refuseAs(purpose: Purpose, error: unknown): never {
  if (error instanceof Refusal && purpose !== 'try') refuse(error.code)
  throw error
}

/**
 * Returns the email address in claims; null without one, or if the provider calls it unverified (some do by a text).
 * Accounts have addresses of ASCII alone: in lower case, a Kelvin sign would equal a k.
 */
export function emailOf({ email, email_verified: isVerified }: Record<string, unknown>): string | null {
  const isPlain = typeof email === 'string' && /^[!-~]{3,254}$/.test(email)
  return isPlain && isVerified !== false && isVerified !== 'false' ? email : null
}

/**
 * Returns whether claims have an address in a domain of the provider. The domains only limit the users who may log in:
 * an address proves no identity.
 */
function isInDomain({ emailDomains }: Provider, claims: IDToken): boolean {
  if (emailDomains.length === 0) return true
  const email = emailOf(claims)
  if (email === null) return false
  return emailDomains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
}

/** Deletes expired states of logins at providers, and expired tickets of `createRequestTicket`. */
export async function removeOldStates(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from sso_states
     where created_at < now() - make_interval(secs => case purpose when 'request' then $2::float8 else $1::float8 end)`,
    [SSO_SECONDS, SSO_REQUEST_SECONDS],
  )
}
