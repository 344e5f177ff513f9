import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  type CustomFetchOptions,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import type { Call } from '../../http/handler.ts'
import { type Outbound, OutboundError } from '../../services/outbound.ts'
import type { Provider } from './queries.ts'

/** Part of a call that sends requests to a provider. */
export type ProviderCall = Pick<Call, 'services' | 'log'>

/** Texts that the start and the end of a login share. */
export interface Exchange {
  redirectUri: string
  state: string
  nonce: string
  /** Code verifier of PKCE. */
  verifier: string
}

/** Milliseconds for which the start of logins reuses the metadata of a provider. The end of a login reads it again. */
const METADATA_MS = 60_000

/** Metadata of providers, by issuer and client. */
const metadata = new Map<string, { until: number; config: Promise<Configuration> }>()

/** Returns the function that sends the requests of openid-client by the outbound client of this server. */
const fetchBy =
  (outbound: Outbound) =>
  (url: string, { method, headers, body }: CustomFetchOptions) =>
    // Requests to providers have forms as bodies.
    outbound(url, { method, headers, body: body instanceof URLSearchParams ? body.toString() : null })

/**
 * Returns the function that authenticates Maru to a provider by its client secret, in the request or in a header, as
 * the provider supports. Some providers decode the header wrongly.
 */
const authenticateBy =
  (secret: string): ClientAuth =>
  (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported
    const way = ways?.includes('client_secret_post') === true ? ClientSecretPost : ClientSecretBasic
    return way(secret)(server, ...rest)
  }

/**
 * Reads the metadata of a provider and returns its configuration for openid-client. Signatures of its tokens are
 * checked with its keys, also of those that it sends itself. Errors of openid-client are thrown unchanged, for
 * `failed`.
 * @param secret client secret; '' if it is not needed
 * @throws {Refusal} SSO_ANSWER_INVALID for another issuer, also for the templates of Entra, and for a login page that
 * is no web page
 */
async function discover(
  { services }: ProviderCall,
  provider: Provider,
  secret: string,
): Promise<Configuration> {
  const url = new URL(provider.issuer)
  const isTrusted = ({ protocol, hostname }: URL) =>
    protocol === 'https:' || (protocol === 'http:' && services.config.outboundHosts.includes(hostname))
  const config = await discovery(url, provider.clientId, undefined, authenticateBy(secret), {
    [customFetch]: fetchBy(services.outbound),
    // The outbound client allows plain http for the hosts of OUTBOUND_ALLOW alone.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
  const { issuer, authorization_endpoint } = config.serverMetadata()
  const loginPage: unknown = authorization_endpoint
  if (new URL(issuer).href !== url.href) refuse('SSO_ANSWER_INVALID', { about: [issuer] })
  // A browser navigates there: a script as URL must not run in the portal.
  if (typeof loginPage !== 'string' || !URL.canParse(loginPage) || !isTrusted(new URL(loginPage)))
    refuse('SSO_ANSWER_INVALID')
  return config
}

/**
 * Returns the URL of a provider at which a user logs in. Reuses the provider's metadata for METADATA_MS.
 * @param asksAgain whether the provider must authenticate a user who is logged in there
 * @throws {Refusal} as `failed`
 */
export async function loginUrlOf(
  call: ProviderCall,
  provider: Provider,
  {
    redirectUri,
    state,
    nonce,
    challenge,
    asksAgain,
  }: Omit<Exchange, 'verifier'> & { challenge: string; asksAgain: boolean },
): Promise<string> {
  const key = `${provider.issuer} ${provider.clientId}`
  const known = metadata.get(key)
  const config = known !== undefined && known.until > Date.now() ? known.config : discover(call, provider, '')
  metadata.set(key, { until: known?.config === config ? known.until : Date.now() + METADATA_MS, config })
  try {
    return buildAuthorizationUrl(await config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      // The provider may ignore either; `auth_time` tells.
      ...(asksAgain && { prompt: 'login', max_age: '0' }),
    }).href
  } catch (error) {
    metadata.delete(key)
    return failed(call, provider, error)
  }
}

/**
 * Exchanges the response of a provider for the claims about a user (rules/sso#answer). Checks issuer, audience, times, nonce
 * and signature, with keys that it reads again for each response, so that rotated keys count immediately.
 * @param secret decrypted client secret
 * @param query the query with which the provider sent the browser back
 * @throws {Refusal} SSO_ANSWER_INVALID if the response has no ID token; and as `failed`
 */
export async function claimsIn(
  call: ProviderCall,
  { provider, secret, query }: { provider: Provider; secret: string; query: URLSearchParams },
  { redirectUri, state, nonce, verifier }: Exchange,
): Promise<IDToken> {
  try {
    const config = await discover(call, provider, secret)
    const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
    })
    return tokens.claims() ?? refuse('SSO_ANSWER_INVALID')
  } catch (error) {
    return failed(call, provider, error)
  }
}

/**
 * Returns the URL of the keys with which a provider signs.
 * @throws {Refusal} as `failed`; SSO_ANSWER_INVALID if it names none
 */
export async function keyUrlOf(call: ProviderCall, provider: Provider): Promise<URL> {
  try {
    const { jwks_uri: url = '' } = (await discover(call, provider, '')).serverMetadata()
    return URL.canParse(url) ? new URL(url) : refuse('SSO_ANSWER_INVALID')
  } catch (error) {
    return failed(call, provider, error)
  }
}

/**
 * Returns the URL that ends the session at a provider and then leads back to the portal.
 * @param backTo URL in the portal
 * @returns '' if the provider has none
 * @throws {Refusal} as `failed`
 */
export async function logoutUrlOf(call: ProviderCall, provider: Provider, backTo: string): Promise<string> {
  try {
    const config = await discover(call, provider, '')
    const page: unknown = config.serverMetadata().end_session_endpoint
    const isTrusted =
      typeof page === 'string' &&
      URL.canParse(page) &&
      new URL(page).protocol === new URL(provider.issuer).protocol
    return isTrusted ? buildEndSessionUrl(config, { post_logout_redirect_uri: backTo }).href : ''
  } catch (error) {
    return failed(call, provider, error)
  }
}

/** Error codes of openid-client that mean a broken provider, rather than an invalid response. */
const BROKEN: ReadonlySet<string | undefined> = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_TIMEOUT',
])

/** Returns the code of the refusal for an error of openid-client; undefined for another error. */
function codeOf(error: unknown): ErrorCode | undefined {
  if (error instanceof AuthorizationResponseError) {
    if (['server_error', 'temporarily_unavailable'].includes(error.error)) return 'SSO_UNAVAILABLE'
    return /^(invalid|unauthorized|unsupported)_/.test(error.error) ? 'SSO_CLIENT_REFUSED' : 'SSO_DENIED'
  }
  if (error instanceof WWWAuthenticateChallengeError) return 'SSO_CLIENT_REFUSED'
  if (error instanceof ResponseBodyError) {
    if (error.status >= 500) return 'SSO_UNAVAILABLE'
    return error.error.endsWith('_client') ? 'SSO_CLIENT_REFUSED' : 'SSO_ANSWER_INVALID'
  }
  if (!(error instanceof ClientError)) return undefined
  return error.cause instanceof OutboundError || BROKEN.has(error.code)
    ? 'SSO_UNAVAILABLE'
    : 'SSO_ANSWER_INVALID'
}

/**
 * Returns the reason of a failed login for administrators: the error code and description of the provider, or else the
 * messages of the error and its cause. Returns '' if it is no Error.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return `${error.error}: ${error.error_description ?? ''}`
  if (!(error instanceof Error)) return ''
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/**
 * Refuses a login whose provider failed, and logs the reason. Throws other errors again.
 * @throws {Refusal} SSO_DENIED, SSO_UNAVAILABLE, SSO_CLIENT_REFUSED or SSO_ANSWER_INVALID, with the reason as `about`,
 * which only a test login shows
 */
function failed(call: ProviderCall, provider: Provider, error: unknown): never {
  const code = codeOf(error)
  if (code === undefined) throw error
  const reason = reasonOf(error).slice(0, 300)
  call.log.warn({ provider: provider.name, code, reason }, 'a login by an identity provider failed')
  return refuse(code, { about: [reason] })
}
