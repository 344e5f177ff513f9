import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAuthority } from '../../../contract/common.ts'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import { checkImport, IMPORT_MAX_BYTES } from '../../../contract/users/import.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/* Bounds what connections may make the server hold (rules/running#in-flight). */

const maru = useMaru(
  {},
  {
    inFlight: {
      connections: 12,
      connectionsPerClient: 8,
      bodyBytes: 40_000_000,
      bodyBytesPerClient: 20_000_000,
    },
  },
)
const agent = new Agent({ keepAlive: false })
let port: number

beforeAll(async () => {
  await maru.app.ready()
  maru.app.server.listen(0, '127.0.0.1')
  await once(maru.app.server, 'listening')
  port = (maru.app.server.address() as AddressInfo).port
})
afterAll(() => agent.destroy())

/** Begins a call whose body does not come. */
function begin(path: string, session: string, length: number | 'chunked'): ClientRequest {
  const size = length === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }
  const call = request({
    agent,
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: API_BASE + path,
    headers: { 'content-type': 'application/json', [SESSION_HEADER]: session, ...size },
  })
  call.on('error', () => {})
  call.flushHeaders()
  call.write('{')
  return call
}

/** The status and code of an answer that comes before the body has. */
async function answerTo(call: ClientRequest): Promise<[number | undefined, string]> {
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  call.destroy()
  return [answer.statusCode, (JSON.parse(text) as { code: string }).code]
}

const drip = ({ session }: TestUser) => begin(checkImport.path, session, 8_000_000)

/** Returns whether a call is answered before another call of the same user. */
const outcome = (call: ClientRequest, by: TestUser) =>
  Promise.race([
    once(call, 'response').then(() => 'answered'),
    maru.call(getAuthority, {}, by).then(() => 'waits'),
  ]).catch(String)

describe('a body is not waited for', () => {
  test.each([8_000_000, 'chunked'] as const)(
    'refuses a body from an unknown sender immediately (%s)',
    async (length) => {
      expect(await answerTo(begin(checkImport.path, 'made-up', length))).toEqual([401, 'SESSION_REQUIRED'])
    },
  )

  test('refuses a body immediately if the call is forbidden or too large', async () => {
    const { session } = await maru.createUser()
    const { session: hr } = await maru.createUser({ role: 'hr' })
    expect((await answerTo(begin(checkImport.path, session, 8_000_000)))[0]).toBe(403)
    expect(await answerTo(begin(checkImport.path, hr, 2 * IMPORT_MAX_BYTES))).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ])
  })

  test('reads no further body of a user with too many in flight, only of others', async () => {
    const [one, other] = [await maru.createUser({ role: 'hr' }), await maru.createUser({ role: 'hr' })]
    const three = [drip(one), drip(one), drip(one)]
    expect(await Promise.race(three.map(answerTo))).toEqual([503, 'UNAVAILABLE'])
    expect((await maru.call(getAuthority, {}, one)).status).toBe(200)
    const theirs = drip(other)
    expect(await outcome(theirs, other)).toBe('waits')
    for (const call of [...three, theirs]) call.destroy()
    // A call that has ended no longer counts.
    await expect
      .poll(async () => {
        const call = drip(one)
        const said = await outcome(call, one)
        call.destroy()
        return said
      })
      .toBe('waits')
  })
})

const open = (localAddress: string) => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  return socket
}

test('limits open connections per address and in total', async () => {
  const mine = Array.from({ length: 9 }, () => open('127.0.0.2'))
  await Promise.race(mine.map((socket) => once(socket, 'close')))
  const theirs = Array.from({ length: 6 }, () => open('127.0.0.3'))
  await Promise.race(theirs.map((socket) => once(socket, 'close')))
  const isOpen = (sockets: typeof mine) => sockets.filter(({ closed }) => !closed).length
  expect(isOpen(mine)).toBe(8)
  await expect.poll(() => isOpen(theirs)).toBeLessThanOrEqual(4)
  for (const socket of [...mine, ...theirs]) socket.destroy()
})
