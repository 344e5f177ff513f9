import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** The client of a Maru at an identity provider. */
export interface ProviderClient {
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** Differences between known identity providers. */
export interface ProviderProfile {
  /** Path of the issuer; '' by default. */
  path?: string
  /** Authentication of the client; in the body by default. */
  authentication?: 'client_secret_post' | 'client_secret_basic'
  /** Whether it has a page that ends its session; true by default. */
  hasLogout?: boolean
}

/** A real identity provider on this machine. */
export interface IdentityProvider {
  issuer: string
  /**
   * Logs a person in at the provider, in a browser without cookies.
   * @param loginUrl URL to which the portal sends the person
   * @param claims claims of the person's ID token
   * @returns the query with which the provider sends the person back
   */
  logIn(loginUrl: string, claims: Record<string, unknown> & { sub: string }): Promise<string>
  /**
   * Cancels a login, as if the person refused.
   * @returns the query with which the provider sends the person back
   */
  cancel(loginUrl: string): Promise<string>
  /** The person whom the provider's page logs in, for tests in a browser. `logIn` replaces it. */
  person: Record<string, unknown> & { sub: string }
  /** Replaces the signing keys. */
  rotateKeys(): Promise<void>
  /** Replaces the client's secret, as if the known one had expired. The portal's secret is then wrong. */
  expireSecret(): Promise<void>
  /** Stops the provider; `start` starts it again at the same address. */
  stop(): Promise<void>
  /** Starts the provider again at the same address. */
  start(): Promise<void>
}

/**
 * Starts an identity provider on a free port of 127.0.0.1. It shows no login page: the test names the person. The test
 * stops it.
 * @param client the portal as its client
 */
export async function startIdentityProvider(
  client: ProviderClient,
  profile: ProviderProfile = {},
): Promise<IdentityProvider> {
  const { path = '' } = profile
  let server = createServer()
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}${path}`
  const people = new Map<string, Record<string, unknown>>()
  let secret = client.clientSecret
  let keys: JWK[] = []
  let isCanceled = false

  /** Creates the provider with the current secret and keys. It replaces the earlier one on the same port. */
  async function begin(): Promise<void> {
    const provider = new Provider(
      issuer,
      configurationOf({ ...client, ...profile, clientSecret: secret }, keys, people),
    )
    const answer = provider.callback()
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage & { originalUrl?: string }, response) => {
      // As a framework does that mounts the provider at a path.
      const { url = '' } = request
      if (path !== '' && url.startsWith(path)) {
        request.originalUrl = url
        request.url = url.slice(path.length)
      }
      if (request.url?.startsWith('/interaction/') !== true) return answer(request, response)
      const result = isCanceled ? { error: 'access_denied' } : { login: { accountId: maker.person.sub } }
      people.set(maker.person.sub, maker.person)
      void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    })
  }

  const maker: IdentityProvider = {
    issuer,
    person: { sub: 'nobody' },
    async logIn(loginUrl, claims) {
      maker.person = claims
      return follow(loginUrl, client.redirectUri)
    },
    async cancel(loginUrl) {
      isCanceled = true
      return follow(loginUrl, client.redirectUri).finally(() => (isCanceled = false))
    },
    async rotateKeys() {
      keys = [await newKey()]
      await begin()
    },
    async expireSecret() {
      secret = `${secret}-renewed`
      await begin()
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    async start() {
      server = createServer()
      await listen(server, port)
      await begin()
    },
  }
  await maker.rotateKeys()
  return maker
}

/** Lets a server listen on 127.0.0.1; port 0 is a free one. */
const listen = (server: Server, port: number) =>
  new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))

/** Creates a signing key. */
async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' }
}

/** Returns the configuration of oidc-provider. */
const configurationOf = (
  {
    clientId,
    clientSecret,
    redirectUri,
    path = '',
    authentication = 'client_secret_post',
    hasLogout = true,
  }: ProviderClient & ProviderProfile,
  keys: JWK[],
  people: Map<string, Record<string, unknown>>,
) => ({
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [redirectUri.replace(/sso$/, 'login')],
      token_endpoint_auth_method: authentication,
    },
  ],
  jwks: { keys },
  cookies: { keys: ['for-tests'] },
  conformIdTokenClaims: false,
  claims: { openid: ['sub', 'oid', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
  clientAuthMethods: [authentication],
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: hasLogout } },
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${path}/interaction/${uid}` },
  findAccount: (_context: unknown, sub: string) => ({
    accountId: sub,
    claims: () => ({ ...people.get(sub), sub }),
  }),
  // Every person has agreed to everything.
  loadExistingGrant: async ({
    oidc: { provider, client, session },
  }: {
    oidc: {
      provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> } }
      client: { clientId: string }
      session: { accountId: string }
    }
  }) => {
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    grant.addOIDCScope('openid email profile')
    await grant.save()
    return grant
  },
})

/**
 * Follows the redirects of a provider as a browser does, until they lead to the portal.
 * @returns the query of that URL
 * @throws {Error} if they lead elsewhere
 */
async function follow(from: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = from
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url} answers ${response.status}: ${await response.text()}`)
    url = new URL(location, url).href
    if (url.startsWith(`${redirectUri}?`)) return url.slice(redirectUri.length + 1)
  }
  throw new Error(`the provider does not lead to ${redirectUri}`)
}
