import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createOutbound, isAllowedAddress } from './outbound.ts'

const servers: Server[] = []

/** Starts a server on loopback. Returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const outbound = createOutbound(['127.0.0.1'])

describe('requests to other servers (rules/running#outbound-requests)', () => {
  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fd00:ec2::254',
    'localhost',
  ])('refuse the address %s', (address) => {
    expect(isAllowedAddress(address)).toBe(false)
  })

  test.each(['10.1.2.3', '172.16.0.1', '192.168.0.1', '203.0.113.9', '2606:4700::1', 'fd12::1'])(
    'allow the address %s',
    (address) => {
      expect(isAllowedAddress(address)).toBe(true)
    },
  )

  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost/',
    'http://203.0.113.9/',
    'https://user:password@203.0.113.9/',
    'file:///etc/passwd',
    'ftp://203.0.113.9/',
    'nonsense',
  ])('refuse the target %s before a connection', async (url) => {
    await expect(createOutbound([])(url)).rejects.toMatchObject({ failure: 'REFUSED_TARGET' })
  })

  test('return status, headers and text of a trusted host', async () => {
    const url = await serve((request, answer) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () =>
        answer
          .writeHead(201, { 'x-name': 'value' })
          .end(`${request.method} ${String(request.headers['x-sent'])} ${Buffer.concat(parts).toString()}`),
      )
    })
    const answer = await outbound(url, { method: 'POST', headers: { 'x-sent': 'yes' }, body: '안녕' })
    expect([answer.status, answer.headers.get('x-name'), await answer.text()]).toEqual([
      201,
      'value',
      'POST yes 안녕',
    ])
  })

  test('follow no redirect', async () => {
    let calls = 0
    const url = await serve((_, answer) => {
      calls += 1
      answer.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    })
    expect((await outbound(url)).status).toBe(302)
    expect(calls).toBe(1)
  })

  test('end at an answer that is too large', async () => {
    const url = await serve((_, answer) => answer.end(Buffer.alloc(1_000_001)))
    await expect(outbound(url)).rejects.toMatchObject({ failure: 'ANSWER_TOO_LARGE' })
  })

  test('end when an answer does not arrive in time, also in its middle', async () => {
    const silent = await serve(() => undefined)
    const halfway = await serve((_, answer) => answer.write('half'))
    const impatient = createOutbound(['127.0.0.1'], 100)
    await expect(impatient(silent)).rejects.toMatchObject({ failure: 'TIMEOUT' })
    await expect(impatient(halfway)).rejects.toMatchObject({ failure: 'TIMEOUT' })
  })

  test('name a host that cannot be reached', async () => {
    await expect(outbound('http://127.0.0.1:1/')).rejects.toMatchObject({ failure: 'UNREACHABLE' })
  })
})
