import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { login } from '../../../contract/account.ts'
import {
  beginConfirmation,
  beginSso,
  finishConfirmation,
  finishSso,
  getProviderLogout,
  listLinks,
} from '../../../contract/sso.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import { sealSecret } from './queries.ts'

/* Tests the refusal of answers that an attacker between Maru and its provider forges, or a malicious provider (rules/sso#answer). */

const PORTAL = 'http://portal.test'
const maru = useMaru({ OUTBOUND_ALLOW: '127.0.0.1', PORTAL_URL: PORTAL })
const BINDING = 'b'.repeat(43)
const SUBJECT = 'person-1'

/** A provider whose every answer the test forges. */
interface Forger {
  issuer: string
  /** Changes of its metadata. */
  metadata: Record<string, unknown>
  /** Returns the ID token for a nonce. */
  token: (nonce: string) => Promise<string>
}

type Key = Parameters<SignJWT['sign']>[0]
type Keys = Awaited<ReturnType<typeof generateKeyPair>>
let keys: Keys
let otherKeys: Keys
let forger: Forger
let other: Forger
let providerId: string
let otherId: string
let userId: string

async function startForger(key: Keys): Promise<Forger & { close: () => void }> {
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  let nonce = ''
  const server = createServer((request, response) => {
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const url = new URL(request.url ?? '', made.issuer)
    if (url.pathname === '/keys') return json({ keys: [jwk] })
    if (url.pathname === '/login') {
      nonce = url.searchParams.get('nonce') ?? ''
      return response.writeHead(204).end()
    }
    if (url.pathname === '/token')
      return void made
        .token(nonce)
        .then((token) => json({ access_token: 'a', token_type: 'Bearer', id_token: token }))
    return json({
      issuer: made.issuer,
      authorization_endpoint: `${made.issuer}/login`,
      token_endpoint: `${made.issuer}/token`,
      jwks_uri: `${made.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...made.metadata,
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made = { issuer, metadata: {}, token: good, close: () => server.close() }
  return made
}

const now = () => Math.floor(Date.now() / 1000)
/** Returns a signed token with claims that differ from the right ones. */
function signed(
  nonce: string,
  claims: Record<string, unknown> = {},
  key: Parameters<SignJWT['sign']>[0] = keys.privateKey,
  header: JWTHeaderParameters = { alg: 'RS256', kid: 'one' },
): Promise<string> {
  const usual = { iss: forger.issuer, aud: 'maru', sub: SUBJECT, nonce, iat: now(), exp: now() + 300 }
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader(header).sign(key)
}
const good = (nonce: string) => signed(nonce)

async function addProvider({ issuer }: Forger): Promise<string> {
  const clientSecret = sealSecret(maru.services.keySecret, 'secret', { issuer, clientId: 'maru' })
  const { id } = await maru.database.db
    .insertInto('identityProviders')
    .values({ name: issuer, issuer, clientId: 'maru', clientSecret, triedVersion: 1, enabledAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

beforeAll(async () => {
  ;[keys, otherKeys] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const [one, two] = [await startForger(keys), await startForger(otherKeys)]
  ;[forger, other] = [one, two]
  const person = await maru.createUser()
  userId = person.userId
  ;[providerId, otherId] = [await addProvider(one), await addProvider(two)]
  await maru.database.db
    .insertInto('identities')
    .values({ providerId, subject: SUBJECT, userId: person.id })
    .execute()
  return () => [one, two].forEach(({ close }) => close())
})

/** Begins a login as a browser does. @returns the state */
async function begin(id = providerId): Promise<string> {
  const { loginUrl } = (await maru.call(beginSso, { providerId: id, binding: BINDING })).data
  await fetch(loginUrl)
  return new URL(loginUrl).searchParams.get('state') ?? ''
}
const end = (query: Record<string, string>) =>
  maru.call(finishSso, { binding: BINDING, answer: new URLSearchParams(query).toString() })

/** Logs in with a forged token. */
async function logInWith(token: Forger['token']) {
  forger.token = token
  try {
    return await end({ code: 'c', state: await begin() })
  } finally {
    forger.token = good
  }
}

describe('an answer of the right provider', () => {
  test('logs in: the forged ones below differ from it in one thing', async () => {
    expect(await logInWith(good)).toMatchObject({ status: 200, data: { userId } })
  })

  test.each<[string, Forger['token']]>([
    ['another issuer', (nonce) => signed(nonce, { iss: 'https://evil.example' })],
    ['another audience', (nonce) => signed(nonce, { aud: 'other-client' })],
    ['several audiences for another party', (nonce) => signed(nonce, { aud: ['maru', 'x'], azp: 'x' })],
    ['another nonce', () => signed('another')],
    ['no nonce', () => signed('', { nonce: undefined })],
    ['an expired token', (nonce) => signed(nonce, { iat: now() - 900, exp: now() - 600 })],
    ['no expiry', (nonce) => signed(nonce, { exp: undefined })],
    [
      'a token that was issued in ten minutes',
      (nonce) => signed(nonce, { iat: now() + 600, nbf: now() + 600 }),
    ],
    ['no subject', (nonce) => signed(nonce, { sub: undefined })],
    ['a signature of another key', (nonce) => signed(nonce, {}, otherKeys.privateKey)],
    [
      'a key that the provider does not have',
      (nonce) => signed(nonce, {}, keys.privateKey, { alg: 'RS256', kid: 'two' }),
    ],
    [
      'the client secret as key',
      (nonce) => signed(nonce, {}, Buffer.from('secret'.repeat(8)), { alg: 'HS256' }),
    ],
    [
      'alg none',
      async (nonce) =>
        new UnsecuredJWT({
          iss: forger.issuer,
          aud: 'maru',
          sub: SUBJECT,
          nonce,
          iat: now(),
          exp: now() + 300,
        }).encode(),
    ],
    ['a cut signature', async (nonce) => `${(await signed(nonce)).split('.').slice(0, 2).join('.')}.`],
    [
      'claims that were changed after signing',
      async (nonce) => {
        const [header = '', , signature = ''] = (await signed(nonce, { sub: 'thief' })).split('.')
        const [, claims = ''] = (await signed(nonce)).split('.')
        return [header, claims, signature].join('.')
      },
    ],
    ['no token at all', async () => ''],
    ['a NUL in the subject', (nonce) => signed(nonce, { sub: 'person\0' })],
    ['an object as subject', (nonce) => signed(nonce, { sub: { id: SUBJECT } })],
  ])('is refused with %s (rules/sso#answer)', async (_, token) => {
    expect(await logInWith(token)).toMatchObject({ status: 400, code: 'SSO_ANSWER_INVALID' })
  })

  test('is refused if its metadata names another issuer, as the templates of Entra do', async () => {
    for (const issuer of ['https://evil.example', 'https://login.microsoftonline.com/{tenantid}/v2.0']) {
      const state = await begin()
      forger.metadata = { issuer }
      expect(await end({ code: 'c', state })).toMatchObject({ code: 'SSO_ANSWER_INVALID' })
      forger.metadata = {}
    }
  })
})

describe('a reauthentication (rules/sso#reauthentication)', () => {
  test.each<[string, () => unknown, string | undefined]>([
    ['now', () => now(), undefined],
    ['as missing', () => undefined, 'SSO_CONFIRMATION_UNAVAILABLE'],
    ['as null', () => null, 'SSO_ANSWER_INVALID'],
    ['as text', () => String(now()), 'SSO_ANSWER_INVALID'],
    ['as a list', () => [now()], 'SSO_ANSWER_INVALID'],
    ['in milliseconds', () => Date.now(), 'SSO_CONFIRMATION_UNAVAILABLE'],
    ['tomorrow', () => now() + 86_400, 'SSO_CONFIRMATION_UNAVAILABLE'],
    ['five minutes ago', () => now() - 300, 'SSO_CONFIRMATION_UNAVAILABLE'],
    ['below zero', () => -1, 'SSO_ANSWER_INVALID'],
  ])('counts only with a login of now, not %s', async (_, at, code) => {
    const { pool } = maru.database
    await pool.query(`update roles set sso_required = true where code = 'AUT003'`)
    try {
      const own = { session: await session() }
      const { loginUrl } = (await maru.call(beginConfirmation, { providerId, binding: BINDING }, own)).data
      await fetch(loginUrl)
      const state = new URL(loginUrl).searchParams.get('state') ?? ''
      forger.token = (nonce) => signed(nonce, { auth_time: at() })
      const input = { binding: BINDING, answer: new URLSearchParams({ code: 'c', state }).toString() }
      expect((await maru.call(finishConfirmation, input, own)).code).toBe(code)
    } finally {
      forger.token = good
      await pool.query('update roles set sso_required = false')
    }
  })
})

describe('the logout page of a provider (rules/sso#logout)', () => {
  test.each<[unknown, boolean]>([
    ['http://127.0.0.1:1/end', true],
    ['https://127.0.0.1/end', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//evil.example', false],
    ['', false],
    [['http://127.0.0.1:1/end'], false],
    [{ href: 'http://127.0.0.1:1' }, false],
    [1, false],
    [null, false],
  ])('is %j only as a page of the same kind', async (page, isUsed) => {
    const own = { session: await session() }
    await maru.database.pool.query('update identity_providers set ends_session = true')
    forger.metadata = { end_session_endpoint: page }
    const { logoutUrl } = (await maru.call(getProviderLogout, {}, own)).data
    forger.metadata = {}
    expect(logoutUrl !== '').toBe(isUsed)
  })
})

describe('several providers', () => {
  test('are not mixed up: an answer of one counts for no login at another', async () => {
    const [own, theirs] = [await begin(), await begin(otherId)]
    expect(own).not.toBe(theirs)
    // The other provider has received the state of this login, and sends its own token for the same subject.
    other.token = (nonce) => signed(nonce, { iss: other.issuer }, otherKeys.privateKey)
    expect(await end({ code: 'c', state: theirs })).toMatchObject({ code: 'SSO_ACCOUNT_UNKNOWN' })
    forger.token = (nonce) => signed(nonce, { iss: other.issuer }, otherKeys.privateKey)
    expect(await end({ code: 'c', state: own, iss: other.issuer })).toMatchObject({
      code: 'SSO_ANSWER_INVALID',
    })
    forger.token = good
  })
})

describe('the login page of a provider', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://evil.example/login',
    '/login',
    ['http://127.0.0.1:1/login'],
    null,
    1,
  ])('is never %j', async (authorization_endpoint) => {
    const own = await startForger(keys)
    own.metadata = { authorization_endpoint }
    const id = await addProvider(own)
    const begun = await maru.call(beginSso, { providerId: id, binding: BINDING })
    expect(begun).toMatchObject({ status: 400, code: 'SSO_ANSWER_INVALID' })
    own.close()
  })

  test('is asked for without the secret, with PKCE and a nonce', async () => {
    const { loginUrl } = (await maru.call(beginSso, { providerId, binding: BINDING })).data
    const query = new URL(loginUrl).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: 'maru',
      response_type: 'code',
      redirect_uri: `${PORTAL}/sso`,
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(loginUrl).not.toContain('secret')
    expect(loginUrl).not.toContain(BINDING)
  })
})

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const logoutToken = (
  claims: Record<string, unknown> = {},
  ...rest: [key?: Key, header?: JWTHeaderParameters]
) => signed('', { nonce: undefined, jti: crypto.randomUUID(), events: { [EVENT]: {} }, ...claims }, ...rest)
const send = async (token: string, id = providerId, address = '10.20.0.1') => {
  const { statusCode, body } = await maru.app.inject({
    method: 'POST',
    url: `/api/sso/v1/back-channel/${id}`,
    remoteAddress: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  })
  return [statusCode, body]
}
const session = async () => (await logInWith(good)).data.sessionUid
const isLive = async (sessionUid: string) =>
  (await maru.call(listLinks, {}, { session: sessionUid })).status === 200

describe('a logout token (rules/sso#logout-by-the-provider)', () => {
  test('ends the sessions that began by its provider, and no other', async () => {
    await maru.database.pool.query('delete from sessions')
    const [one, two] = [await session(), await session()]
    const byPassword = (await maru.call(login, { loginId: userId, password: PASSWORD })).data.sessionUid
    expect(await send(await logoutToken())).toEqual([200, ''])
    expect([await isLive(one), await isLive(two), await isLive(byPassword)]).toEqual([false, false, true])
    const { rows } = await maru.database.pool.query(
      `select actor_id, target, detail from audit_log where action = 'account.logout' order by id desc limit 1`,
    )
    expect(rows).toEqual([
      {
        actor_id: null,
        target: userId,
        detail: { by: 'sso', providerName: forger.issuer, endedSessions: 2 },
      },
    ])
  })

  test('ends no later session if it is repeated', async () => {
    const token = await logoutToken({ iat: now() - 100 })
    const later = await session()
    expect(await send(token)).toEqual([200, ''])
    expect(await isLive(later)).toBe(true)
  })

  test.each<[string, () => Promise<string>]>([
    ['another issuer', () => logoutToken({ iss: other.issuer })],
    ['another audience', () => logoutToken({ aud: 'other-client' })],
    ['no event', () => logoutToken({ events: undefined })],
    ['another event', () => logoutToken({ events: { [`${EVENT}x`]: {} } })],
    ['a nonce, as an ID token has', () => logoutToken({ nonce: 'n' })],
    ['no ID', () => logoutToken({ jti: undefined })],
    ['no subject', () => logoutToken({ sub: undefined, sid: 's' })],
    ['a time of ten minutes ago', () => logoutToken({ iat: now() - 600 })],
    ['a time in ten minutes', () => logoutToken({ iat: now() + 600 })],
    ['an end that is over', () => logoutToken({ exp: now() - 300 })],
    ['a signature of another key', () => logoutToken({}, otherKeys.privateKey)],
    ['the client secret as key', () => logoutToken({}, Buffer.from('secret'.repeat(8)), { alg: 'HS256' })],
    ['alg none', async () => new UnsecuredJWT({ iss: forger.issuer, aud: 'maru', sub: SUBJECT }).encode()],
    ['an ID token', () => good('nonce')],
    ['text', async () => 'a.b.c'],
    ['nothing', async () => ''],
  ])('is refused with %s', async (_, token) => {
    const live = await session()
    expect(await send(await token())).toEqual([400, '{"error":"invalid_request"}'])
    expect(await isLive(live)).toBe(true)
  })

  test('is refused at another provider, an unknown one, and with SSO=off', async () => {
    const live = await session()
    const token = await logoutToken()
    for (const id of [otherId, '999999', 'x', '1e3', '9'.repeat(40)])
      expect((await send(token, id))[0]).toBe(400)
    const { config } = maru.services
    Object.assign(config, { sso: false })
    expect((await send(token))[0]).toBe(400)
    Object.assign(config, { sso: true })
    expect(await isLive(live)).toBe(true)
  })

  test('is limited per network', async () => {
    const answers = []
    for (let n = 0; n < 121; n += 1) answers.push((await send('', providerId, '10.30.0.1'))[0])
    expect([answers[119], answers[120]]).toEqual([400, 429])
  })
})
