import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { checkId, checkPassword, login, logout, signUp } from '../../contract/account.ts'
import { getAuthority, listCodes } from '../../contract/common.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { listNotices } from '../../contract/notices.ts'
import { PASSWORD, useMaru } from '../../dev/test-kit/maru.ts'
import { sampleOf } from '../../dev/test-kit/samples.ts'
import { bodyOf } from '../../dev/test-kit/seal.ts'
import { fromWire, wireNames } from '../../contract/wire.ts'

const maru = useMaru()

describe('a request (rules/wire#calls, rules/wire#envelope)', () => {
  test.each([
    ['no body and no Content-Type', undefined, undefined],
    ['no body', undefined, 'application/json'],
    ['an empty body', '', 'application/json'],
    ['{}', '{}', 'application/json'],
    ['{} and a charset', '{}', 'Application/JSON; charset=utf-8'],
  ])('answers a request without fields with %s', async (_, payload, type) => {
    const { session } = await maru.createUser()
    const response = await maru.app.inject({
      method: 'POST',
      url: API_BASE + getAuthority.path,
      headers: { SessionId: session, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(payload === undefined ? {} : { payload }),
    })
    expect(response.statusCode).toBe(200)
    expect(Object.keys(response.json())).toEqual(['DATA'])
  })

  test('names the missing field of a request', async () => {
    const answer = await maru.call(login, {} as never, { rawBody: '{}' })
    expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'loginId' })
    expect(JSON.parse(answer.raw)).toMatchObject({ field: 'ID' })
  })

  test.each([
    ['no JSON', 'ID=admin'],
    ['the input not enveloped', '{"ID":"admin","PW":"x"}'],
    ['no Base64', '{"DATA":"???"}'],
    ['what does not decrypt', '{"DATA":"AAAAAAAAAAAAAAAAAAAAAA=="}'],
    ['what does not parse', '{"DATA":"4WUhQLSjOVqYb3Yr4l49QA=="}'],
  ])('answers 400 ENVELOPE_INVALID with %s on every call, never a 500', async (_, rawBody) => {
    const { session } = await maru.createUser({ role: 'admin' })
    // The password gate refuses before the body is read.
    await maru.database.pool.query('update sessions set password_checked_at = now()')
    // A call behind the password re-entry refuses before it reads its body.
    await maru.call(checkPassword, { password: PASSWORD }, { session })
    const { token } = await maru.createService()
    for (const { endpoint } of endpoints) {
      if (endpoint.body === 'multipart') continue
      const caller = endpoint.access === 'service' ? { token } : { session }
      const answer = await maru.callRaw(endpoint.path, {}, { ...caller, rawBody })
      expect.soft({ path: endpoint.path, status: answer.status, code: answer.code }).toEqual({
        path: endpoint.path,
        status: 400,
        code: 'ENVELOPE_INVALID',
      })
    }
  })

  test.each([
    ['nonsense', 415, 'CONTENT_TYPE_UNSUPPORTED'],
    ['application/json; charset', 400, 'ENVELOPE_INVALID'],
    ['application/jsonp', 415, 'CONTENT_TYPE_UNSUPPORTED'],
    [';', 415, 'CONTENT_TYPE_UNSUPPORTED'],
    ['text/plain', 415, 'CONTENT_TYPE_UNSUPPORTED'],
    ['multipart/form-data; boundary=x', 415, 'CONTENT_TYPE_UNSUPPORTED'],
    [undefined, 415, 'CONTENT_TYPE_UNSUPPORTED'],
  ])('answers Content-Type %j with %i', async (type, status, code) => {
    const response = await maru.app.inject({
      method: 'POST',
      url: API_BASE + checkId.path,
      headers: type === undefined ? {} : { 'content-type': type },
      payload: 'x',
    })
    expect([response.statusCode, response.json().code]).toEqual([status, code])
  })

  test("answers 403 CROSS_SITE to every request that another site's page sends", async () => {
    const { session } = await maru.createUser({ role: 'admin' })
    for (const { endpoint } of endpoints) {
      const refused = await maru.app.inject({
        method: 'POST',
        url: API_BASE + endpoint.path,
        headers: { SessionId: session, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
        payload: '?',
      })
      expect
        .soft([endpoint.path, refused.statusCode, refused.json().code])
        .toEqual([endpoint.path, 403, 'CROSS_SITE'])
    }
    const own = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', SessionId: session }
    const answered = await maru.app.inject({
      method: 'POST',
      url: API_BASE + getAuthority.path,
      headers: own,
      payload: '{}',
    })
    expect(answered.statusCode).toBe(200)
  })
})

describe('statuses (rules/wire#statuses)', () => {
  test('answers 404 PATH_NOT_FOUND for an unknown API path', async () => {
    for (const url of [
      '/api',
      '/api/',
      '/api/stm/v1/nothing',
      '/api/stm/v1/login/',
      '/api/../x',
      '/api/%ff',
    ]) {
      const response = await maru.app.inject({ method: 'POST', url })
      expect.soft([url, response.statusCode, response.json().code]).toEqual([url, 404, 'PATH_NOT_FOUND'])
    }
    const get = await maru.app.inject({ method: 'GET', url: '/api/stm/v1/nothing' })
    expect(get.statusCode).toBe(404)
    const page = await maru.app.inject({ method: 'POST', url: '/main' })
    expect([page.statusCode, page.json().code]).toEqual([404, 'PATH_NOT_FOUND'])
  })

  test('refuses an address that is no URL in the API’s own format', async () => {
    const response = await maru.app.inject({ method: 'POST', url: '/api/%ff' })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({ code: 'PATH_NOT_FOUND', msg: '존재하지 않는 API 경로입니다.' })
  })

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const)(
    'answers 405 METHOD_NOT_ALLOWED with Allow to %s on a path of the contract',
    async (method) => {
      const response = await maru.app.inject({ method, url: `${API_BASE + login.path}?x=1` })
      expect(response.statusCode).toBe(405)
      expect(response.headers.allow).toBe('POST')
      if (method !== 'HEAD') expect(response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    },
  )

  test('delivers 413 PAYLOAD_TOO_LARGE for 10 MB over a real connection', async () => {
    const port = await listeningPort()
    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = httpRequest(
        {
          port,
          method: 'POST',
          path: API_BASE + login.path,
          headers: { 'content-type': 'application/json' },
        },
        (response) => {
          let body = ''
          response.on('data', (chunk: Buffer) => (body += chunk.toString()))
          response.on('end', () => resolve({ status: response.statusCode, body }))
        },
      )
      request.on('error', reject)
      request.end(JSON.stringify({ DATA: 'A'.repeat(10 * 1024 * 1024) }))
    })
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  test('accepts 16 KB for a public call, 1 MB with a session', async () => {
    const { session } = await maru.createUser()
    const statusOf = async (path: string, bytes: number) => {
      const rawBody = JSON.stringify({ DATA: '' }).padEnd(bytes)
      return (await maru.callRaw(path, {}, { session, rawBody })).status
    }
    for (const { endpoint } of endpoints.filter(({ endpoint: { access } }) => access === 'public')) {
      expect.soft([endpoint.path, await statusOf(endpoint.path, 16 * 1024)]).toEqual([endpoint.path, 400])
      expect.soft([endpoint.path, await statusOf(endpoint.path, 16 * 1024 + 1)]).toEqual([endpoint.path, 413])
    }
    expect(await statusOf(listNotices.path, 1024 * 1024)).toBe(400)
    expect(await statusOf(listNotices.path, 1024 * 1024 + 1)).toBe(413)
  })

  test('rejects a chunked body as soon as it exceeds the limit', async () => {
    const request = httpRequest({
      port: await listeningPort(),
      method: 'POST',
      path: API_BASE + login.path,
      headers: { 'content-type': 'application/json' },
    })
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    request.write('{"DATA":"')
    request.write('A'.repeat(16 * 1024))
    const [response] = await answered
    expect(response.statusCode).toBe(413)
    request.on('error', () => {})
    request.destroy()
  })

  test('accepts the longest sign-up, even with every character escaped', async () => {
    const form = {
      ...sampleOf({ endpoint: signUp }),
      userId: 'longest.of.all.users',
      password: `${long(126)}7!`,
      position: long(50),
      name: long(50),
      affiliationCode: 'B'.repeat(40),
      email: `${'e'.repeat(64)}@${'example-'.repeat(22)}example.com`,
    }
    const { toWire: toWireName } = wireNames(signUp)
    const given = Object.entries(form).filter(([, value]) => value !== undefined)
    const fields = given.map(([key, value]) => `"${toWireName(key)}":"${escaped(value)}"`)
    const json = `{${fields.join(',')}}`
    expect(fromWire(signUp, JSON.parse(json))).toEqual(form)
    // Nothing is wrong with its length or its form.
    const answer = await maru.callRaw(signUp.path, {}, { rawBody: bodyOf(json) })
    expect([answer.status, answer.code]).toEqual([400, 'CODE_NOT_FOUND'])
  })

  test('answers 429 with Retry-After to an address with too many calls, and to no other', async () => {
    const address = '198.51.100.7'
    const { points } = checkId.limit
    const answers = []
    for (let i = 0; i <= points; i += 1)
      answers.push(await maru.call(checkId, { userId: 'free.id' }, { address }))
    expect(answers.slice(0, points).every((answer) => answer.status === 200)).toBe(true)
    const last = answers.at(-1)
    expect(last).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' })
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(last?.headers['retry-after'])).toBeLessThanOrEqual(checkId.limit.seconds)
    expect((await maru.call(checkId, { userId: 'free.id' }, { address: '198.51.100.8' })).status).toBe(200)
  })
})

describe('answers (rules/wire#success, rules/wire#failure)', () => {
  test('never encrypts a failure, which holds only msg and code', async () => {
    const answer = await maru.call(login, { loginId: 'nobody', password: 'wrong' })
    expect(JSON.parse(answer.raw)).toEqual({
      code: 'LOGIN_FAILED',
      msg: '아이디 또는 비밀번호가 올바르지 않습니다.',
    })
    expect(String(answer.headers['content-type'])).toMatch(/^application\/json/)
  })

  test.each([
    [undefined, 'ko'],
    ['', 'ko'],
    ['ko-KR,ko;q=0.9,en;q=0.8', 'ko'],
    ['en', 'en'],
    ['en-US,en;q=0.9,ko;q=0.8', 'en'],
    ['ko;q=0.5, en-GB;q=0.7', 'en'],
    ['fr-FR, en;q=0.3', 'en'],
    ['fr', 'ko'],
    ['*', 'ko'],
    ['en;q=0', 'ko'],
  ])('answers Accept-Language %j with the msg %s', async (header, language) => {
    const response = await maru.app.inject({
      method: 'POST',
      url: API_BASE + getAuthority.path,
      headers: header === undefined ? {} : { 'accept-language': header },
    })
    expect(response.json().msg).toBe(language === 'ko' ? '로그인을 다시 해주세요.' : 'Please log in again.')
  })

  test('reads the session from the SessionId header in any case (rules/wire#session-header)', async () => {
    const { session } = await maru.createUser()
    for (const name of ['SessionId', 'sessionid', 'SESSIONID']) {
      const response = await maru.app.inject({
        method: 'POST',
        url: API_BASE + getAuthority.path,
        headers: { [name]: session },
      })
      expect(response.statusCode).toBe(200)
    }
    for (const headers of [{ Authorization: `Bearer ${session}` }, { Cookie: `SessionId=${session}` }]) {
      const response = await maru.app.inject({ method: 'POST', url: API_BASE + getAuthority.path, headers })
      expect(response.statusCode).toBe(401)
    }
  })

  test('adds its own X-Request-Id to every answer (rules/wire#request-id)', async () => {
    const ids = []
    for (const url of ['/healthz', '/api/nothing', '/main', API_BASE + login.path]) {
      const response = await maru.app.inject({ method: url === '/main' ? 'GET' : 'POST', url })
      ids.push(response.headers['x-request-id'])
    }
    expect(new Set(ids).size).toBe(4)
    expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(String(id)))).toBe(true)
  })

  test('answers 500 to an unexpected error, logs its request ID and reveals nothing', async () => {
    await maru.owner.query('alter table codes rename to codes_broken')
    const answer = await maru.call(listCodes, { codeGroup: 'COMBEL001' })
    await maru.owner.query('alter table codes_broken rename to codes')
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.raw)).toEqual({ code: 'UNEXPECTED', msg: '관리자에게 문의해주세요.' })
    const line = maru.log.find((entry) => entry.reqId === answer.headers['x-request-id'])
    expect(line?.err?.message).toContain('codes')
    expect(line?.level).toBe(50)
  })

  test('does not log a refusal as an error', async () => {
    const before = maru.log.length
    await maru.call(getAuthority, {})
    await maru.call(login, { loginId: 'nobody', password: 'wrong' })
    // A possible attack is logged, but not as an error (rules/running#log).
    expect(maru.log.slice(before).filter(({ level }) => level >= 50)).toEqual([])
  })
})

test('limits calls without a session per network (rules/wire#call-limits)', async () => {
  const { session } = await maru.createUser()
  const codes = (address: string, by: { session?: string } = {}) =>
    maru.call(listCodes, { codeGroup: 'COMBEL001' }, { address, ...by })
  expect((await codes('2001:db8:9:9::1')).status).toBe(200)
  await maru.database.pool.query(`update rate_limits set points = 600 where key like '%/cm/v1/codes%'`)
  expect(await codes('2001:db8:9:9::2')).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' })
  expect((await codes('2001:db8:9:8::1')).status).toBe(200)
  expect((await codes('2001:db8:9:9::2', { session })).status).toBe(200)
})

test('counts no request without a session or with invalid input for its network (rules/wire#call-limits)', async () => {
  const address = '203.0.113.212'
  const { session } = await maru.createUser()
  const counted = async () =>
    (await maru.database.pool.query(`select key from rate_limits where key like '/%'`)).rows
  await maru.database.pool.query('delete from rate_limits')
  for (const { endpoint } of endpoints.filter(
    ({ endpoint: { body, answer } }) => body === undefined && answer === undefined,
  )) {
    const isPublic = endpoint.access === 'public'
    const invalid = isPublic ? { unknownField: '1' } : sampleOf({ endpoint })
    const answers = [
      await maru.callRaw(endpoint.path, invalid, { address }),
      await maru.callRaw(endpoint.path, {}, { address, rawBody: '{}' }),
      await maru.callRaw(endpoint.path, { unknownField: '1' }, { address, session }),
    ]
    for (const { status } of answers) expect([400, 401, 403], endpoint.path).toContain(status)
  }
  expect(await counted()).toEqual([])
  // A valid one counts.
  expect((await maru.call(listCodes, { codeGroup: 'COMBEL001' }, { address })).status).toBe(200)
  expect(await counted()).toHaveLength(1)
})

test('survives a client that disconnects during a call', async () => {
  const port = await listeningPort()
  const { session } = await maru.createUser()
  const reached = once(maru.app.server, 'request')
  const request = httpRequest({
    port,
    method: 'POST',
    path: API_BASE + listNotices.path,
    headers: { SessionId: session, 'content-type': 'application/json', 'content-length': '1000' },
  })
  request.on('error', () => {})
  request.write('{"DATA"')
  const [{ socket }] = (await reached) as [IncomingMessage]
  // It ends with an error, which is the server's to bear.
  const left = new Promise((resolve) => socket.once('close', resolve))
  request.destroy()
  await left
  expect((await maru.call(logout, {}, { session })).status).toBe(200)
})

/** Text that is this long once composed, and four times as long before. */
const long = (length: number) => 'ᾂ'.normalize('NFD').repeat(length)

/** Each character as JSON may write it, \uXXXX. */
const escaped = (text: string) =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

let port: number | undefined
async function listeningPort(): Promise<number> {
  if (port === undefined) {
    await maru.app.listen({ port: 0, host: '127.0.0.1' })
    port = (maru.app.server.address() as AddressInfo).port
  }
  return port
}
