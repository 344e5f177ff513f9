import { describe, expect, test } from 'vitest'
import { finishLogin, login, logout, setPassword } from '../../contract/account.ts'
import { checkSession } from '../../contract/common.ts'
import { API_BASE, SESSION_BINDING_HEADER, SESSION_HEADER } from '../../contract/envelope.ts'
import { beginUpload, createNotice, linkFile, uploadFile, UPLOADS_PATH } from '../../contract/notices.ts'
import { NOTIFICATION_STREAM_PATH } from '../../contract/notifications/count.ts'
import { browser, factorsOf } from '../../dev/test-kit/factors.ts'
import { addressOfMaru, attach, filesOf, writeNotice } from '../../dev/test-kit/files.ts'
import { type CallOptions, PASSWORD, type TestMaru, useMaru } from '../../dev/test-kit/maru.ts'
import type { TestUser } from '../../dev/test-kit/people.ts'
import { roundTrips } from '../../dev/test-kit/round-trips.ts'

/* Sessions of the portal's own pages (rules/account#session-cookie). */
const clock = { now: new Date() }
const maru = useMaru({ LOG_LEVEL: 'trace', TRUST_PROXY: '1' }, { clock: () => clock.now })
const other = useMaru()
const ASKS = { [SESSION_BINDING_HEADER]: 'cookie' }

/** The two parts of a session that a browser sends: the header from its storage, and the cookie. */
interface Browser {
  session: string
  cookie: string
}

const cookiesIn = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers['set-cookie'] ?? []].flat() as string[]
const pairOf = (line = '') => line.split(';')[0] ?? ''
const sent = ({ session, cookie }: Browser, headers = {}): CallOptions => ({
  session,
  headers: { ...headers, cookie },
})

async function enter(user: TestUser, options: CallOptions = {}, at: TestMaru = maru): Promise<Browser> {
  const headers = { ...ASKS, ...options.headers }
  const input = { loginId: user.userId, password: PASSWORD }
  const answer = await at.call(login, input, { ...options, headers })
  return { session: answer.data.sessionUid, cookie: pairOf(cookiesIn(answer).at(-1)) }
}

const statusOf = async (options: CallOptions) => (await maru.call(checkSession, {}, options)).status

interface Place {
  url: string
  uploadId: string
  link: () => Promise<string>
}

/** Requests of every kind that a session can make, each with its headers; each returns the status. */
const WAYS: Record<string, (at: Place, headers: Record<string, string>) => Promise<number>> = {
  'a call': ({ url }, headers) => post(url, checkSession.path, headers, '{}'),
  'a call with a large body': ({ url }, headers) =>
    post(url, createNotice.path, headers, JSON.stringify({ DATA: 'A'.repeat(20_000) })),
  'a form with a file': ({ url }, headers) => post(url, uploadFile.path, headers, new FormData()),
  'tus HEAD': (at, headers) => tus(at, 'HEAD', headers),
  'tus PATCH': (at, headers) => tus(at, 'PATCH', headers),
  'the event stream': async ({ url }, headers) => {
    const stop = new AbortController()
    const { status } = await fetch(url + API_BASE + NOTIFICATION_STREAM_PATH, {
      headers,
      signal: stop.signal,
    })
    stop.abort()
    return status
  },
  'a download link': async ({ url, link }, { cookie }) =>
    (await fetch(url + (await link()), { headers: cookie === undefined ? {} : { cookie } })).status,
}

async function post(url: string, path: string, headers: Record<string, string>, body: string | FormData) {
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
  const response = await fetch(url + API_BASE + path, {
    method: 'POST',
    headers: { ...type, ...headers },
    body,
  })
  return response.status
}

async function tus({ url, uploadId }: Place, method: 'HEAD' | 'PATCH', headers: Record<string, string>) {
  const more = {
    'Tus-Resumable': '1.0.0',
    ...(method === 'PATCH' && { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }),
  }
  const body = method === 'PATCH' ? { body: 'abc' } : {}
  const address = `${url}${API_BASE}${UPLOADS_PATH}/${uploadId}`
  return (await fetch(address, { method, headers: { ...headers, ...more }, ...body })).status
}

async function placeOf(own: Browser, user: TestUser): Promise<Place> {
  const noticeId = await writeNotice(maru, user)
  await attach(maru, user, noticeId, 'plan.txt', 'text')
  const { storedName, storedPath } = (await filesOf(maru, user, noticeId))[0]!
  const { data } = await maru.call(beginUpload, { fileName: 'a.txt', fileSize: 3 }, sent(own))
  return {
    url: await addressOfMaru(maru),
    uploadId: data.uploadId,
    link: async () => (await maru.call(linkFile, { storedName, storedPath }, sent(own))).data.url,
  }
}

describe('a session that a page starts', () => {
  test.each([
    ['http', {}, ''],
    ['https', { 'x-forwarded-proto': 'https' }, '; Secure'],
  ])('is bound over %s to a cookie that no script reads', async (_, headers, secure) => {
    const user = await maru.createUser()
    const input = { loginId: user.userId, password: PASSWORD }
    const answer = await maru.call(login, input, { headers: { ...ASKS, ...headers } })
    const [line = '', ...more] = cookiesIn(answer)
    expect(more).toEqual([])
    expect(line).toMatch(/^maru_[0-9a-f]{16}=[\w-]{43}; Path=\/api; Max-Age=43200; HttpOnly; SameSite=Strict/)
    expect(line.endsWith(`SameSite=Strict${secure}`)).toBe(true)
    const { rows } = await maru.database.pool.query<{ hash: Buffer }>(
      'select binding_hash as hash from sessions where user_id = $1 and binding_hash is not null',
      [user.id],
    )
    expect(rows.map(({ hash }) => hash.length)).toEqual([32])
    expect(JSON.stringify(maru.log)).not.toContain(pairOf(line).split('=')[1])
  })

  test('sets no cookie for a refused login', async () => {
    const { userId } = await maru.createUser()
    const answer = await maru.call(login, { loginId: userId, password: 'wrong' }, { headers: ASKS })
    expect(answer.status).toBe(400)
    expect(cookiesIn(answer)).toEqual([])
  })

  test('is found in one statement, as one without a cookie', async () => {
    const bound = await enter(await maru.createUser())
    const program = await maru.createUser()
    const asked = (options: CallOptions) => roundTrips(maru.database.pool, () => statusOf(options))
    expect(await asked(sent(bound))).toEqual(await asked({ session: program.session }))
    expect(await asked(sent(bound))).toHaveLength(1)
  })

  test('is bound after the second factor, too', async () => {
    const { withApp, codeOf, ticketOf } = factorsOf(maru, clock)
    const user = await withApp(await maru.createUser())
    const input = { ticket: await ticketOf(user), factor: 'TOTP', proof: codeOf(user.secret) } as const
    const at = browser()
    const answer = await maru.call(finishLogin, input, { ...at, headers: { ...at.headers, ...ASKS } })
    const session = answer.data.sessionUid
    expect(await statusOf({ session })).toBe(401)
    expect(await statusOf(sent({ session, cookie: pairOf(cookiesIn(answer)[0]) }))).toBe(200)
  })

  test('goes on after a password change, with a new cookie in place of the old one', async () => {
    const own = await enter(await maru.createUser())
    const input = { currentPassword: PASSWORD, newPassword: 'Another-2026-portal!' }
    const answer = await maru.call(setPassword, input, sent(own, ASKS))
    const [cleared = '', fresh] = cookiesIn(answer)
    expect(cleared).toContain(`${pairOf(own.cookie).split('=')[0]}=; Path=/api; Max-Age=0;`)
    const { sessionUid: session } = answer.data
    expect(await statusOf(sent({ session, cookie: pairOf(fresh) }))).toBe(200)
    expect(await statusOf({ session })).toBe(401)
    expect(await statusOf(sent({ session, cookie: own.cookie }))).toBe(401)
  })

  test('ends with the next login of its browser, and its cookie also with a logout', async () => {
    const user = await maru.createUser()
    const first = await enter(user)
    const input = { loginId: user.userId, password: PASSWORD }
    const answer = await maru.call(login, input, sent(first, ASKS))
    expect(cookiesIn(answer)[0]).toContain('=; Path=/api; Max-Age=0;')
    expect(await statusOf(sent(first))).toBe(401)
    const second = { session: answer.data.sessionUid, cookie: pairOf(cookiesIn(answer)[1]) }
    const left = await maru.call(logout, {}, sent(second))
    expect(cookiesIn(left)).toEqual([expect.stringContaining('Max-Age=0;')])
    expect(pairOf(cookiesIn(left)[0]).split('=')[0]).toBe(second.cookie.split('=')[0])
  })

  test('survives the login at another portal on this host, whatever its port', async () => {
    const here = await enter(await maru.createUser())
    const user = await other.createUser()
    const there = await enter(user, { headers: { cookie: here.cookie } }, other)
    expect(there.cookie.split('=')[0]).not.toBe(here.cookie.split('=')[0])
    expect(await statusOf(sent({ ...here, cookie: `${there.cookie}; ${here.cookie}` }))).toBe(200)
  })
})

describe('a client that sends the header alone', () => {
  test('gets no cookie and needs none', async () => {
    const { userId } = await maru.createUser()
    const answer = await maru.call(login, { loginId: userId, password: PASSWORD })
    expect(cookiesIn(answer)).toEqual([])
    const session = answer.data.sessionUid
    expect(await statusOf({ session })).toBe(200)
    const input = { currentPassword: PASSWORD, newPassword: 'Another-2026-portal!' }
    const changed = await maru.call(setPassword, input, { session })
    expect(cookiesIn(changed)).toEqual([])
    expect(await statusOf({ session: changed.data.sessionUid })).toBe(200)
    expect(cookiesIn(await maru.call(logout, {}, { session: changed.data.sessionUid }))).toEqual([])
  })

  test('goes on with a session of the version before', async () => {
    const { session } = await maru.createUser()
    expect(await statusOf({ session })).toBe(200)
    expect(await statusOf({ session, headers: { cookie: 'maru_0123456789abcdef=x' } })).toBe(200)
  })
})

describe('a stolen sessionUid', () => {
  test.each(Object.entries(WAYS))('opens nothing by %s without its cookie', async (_, way) => {
    const user = await maru.createUser()
    const own = await enter(user)
    const foreign = await enter(await maru.createUser())
    const place = await placeOf(own, user)
    const { session } = own
    const [name] = own.cookie.split('=')
    const cookies = {
      'no cookie': undefined,
      'the cookie of another session': foreign.cookie,
      'the secret of another session': `${name}=${foreign.cookie.split('=')[1]}`,
      'an empty secret': `${name}=`,
    }
    for (const [what, cookie] of Object.entries(cookies)) {
      const headers = { [SESSION_HEADER]: session, ...(cookie !== undefined && { cookie }) }
      expect.soft([what, await way(place, headers)]).toEqual([what, 401])
    }
    const status = await way(place, { [SESSION_HEADER]: session, cookie: `theme=dark; ${own.cookie}` })
    expect(status).not.toBe(401)
  })

  test('does not use up a download link of its user (rules/files#download-link)', async () => {
    const user = await maru.createUser()
    const own = await enter(user)
    const { url, link } = await placeOf(own, user)
    const address = url + (await link())
    const follow = async (headers: Record<string, string>) => (await fetch(address, { headers })).status
    expect(await follow({})).toBe(401)
    expect(await follow({ cookie: own.cookie })).toBe(200)
    expect(await follow({ cookie: own.cookie })).toBe(400)
  })

  test('answers as an unknown one, and neither ends the session nor counts for its user', async () => {
    const user = await maru.createUser()
    const own = await enter(user)
    const { session } = own
    const stolen = await maru.call(checkSession, {}, { session })
    const unknown = await maru.call(checkSession, {}, { session: 'A'.repeat(43) })
    expect([stolen.status, stolen.raw]).toEqual([unknown.status, unknown.raw])
    expect((await maru.call(logout, {}, { session })).status).toBe(401)
    // A login with it begins a session of its own, and leaves the one that it carries alone.
    const thief = await maru.createUser()
    await maru.call(login, { loginId: thief.userId, password: PASSWORD }, { session })
    expect(await statusOf(sent(own))).toBe(200)
    expect(JSON.stringify(maru.log)).not.toContain(own.cookie.split('=')[1])
  })
})

describe('the call limit of a user', () => {
  const limited = useMaru({ CALL_LIMIT_PERCENT: '1' })

  test('is not used up with the sessionUid alone', async () => {
    const own = await enter(await limited.createUser(), {}, limited)
    const ask = (options: CallOptions) => limited.call(checkSession, {}, { ...options, address: '10.1.2.3' })
    expect((await ask(sent(own))).status).toBe(200)
    for (let n = 0; n < 100; n += 1) expect((await ask({ session: own.session })).status).toBe(401)
    expect((await ask(sent(own))).status).toBe(200)
  })
})
