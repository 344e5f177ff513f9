import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { selfSignedCertificate } from '../../dev/test-kit/certificate.ts'
import { createOutbound, isAllowedAddress } from './outbound.ts'

const servers: Server[] = []

/** Starts a server on loopback. Returns its URL. */
const serve = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}`

/** Starts a server. Returns its port. */
async function listen(server: Server, address = '127.0.0.1', port = 0): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  return (server.address() as AddressInfo).port
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

/** Address of this machine that requests may be sent to. */
const external = Object.values(networkInterfaces())
  .flat()
  .find((found) => found?.internal === false && found.family === 'IPv4')?.address

describe('kept connections (rules/running#outbound-requests, design/events#delivery)', () => {
  const repeatable = { method: 'POST', body: '{}', isRepeatable: true }

  test('are used by repeatable requests only', async () => {
    const ports: (number | undefined)[] = []
    const url = await serve(({ socket }, answer) => {
      ports.push(socket.remotePort)
      answer.end('x')
    })
    for (const request of [repeatable, repeatable, {}, {}]) await (await outbound(url, request)).text()
    expect(ports[1]).toBe(ports[0])
    expect(new Set(ports).size).toBe(3)
  })

  test('are replaced once if the server has closed them', async () => {
    let calls = 0
    const url = await serve(({ socket }, answer) => {
      calls += 1
      if (calls === 1 || calls === 3) answer.end('x')
      else socket.destroy()
    })
    await outbound(url, repeatable)
    expect(await (await outbound(url, repeatable)).text()).toBe('x')
    expect(calls).toBe(3)
    // The connection is new.
    await expect(outbound(url, repeatable)).rejects.toMatchObject({ failure: 'UNREACHABLE' })
    expect(calls).toBe(4)
  })

  test('end no request whose answer takes longer than they are kept', async () => {
    const url = await serve((_, answer) => void setTimeout(() => answer.end('late'), 1200))
    for (let n = 0; n < 2; n += 1) expect(await (await outbound(url, repeatable)).text()).toBe('late')
  })

  test.skipIf(process.platform !== 'linux')('lead to the addresses that a name has now', async () => {
    let address = '127.0.0.1'
    const client = createOutbound(['receiver.test'], 10_000, async () => [{ address, family: 4 }])
    const port = await listen(createServer((_, answer) => answer.end('first')))
    await listen(
      createServer((_, answer) => answer.end('second')),
      '127.0.0.2',
      port,
    )
    const ask = async () => (await client(`http://receiver.test:${port}/`, repeatable)).text()
    expect([await ask(), await ask()]).toEqual(['first', 'first'])
    address = '127.0.0.2'
    expect([await ask(), await ask()]).toEqual(['second', 'second'])
  })

  test.skipIf(external === undefined)('are refused if a name resolves to a refused target', async () => {
    const { key, certificate } = selfSignedCertificate()
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, certificate])
    onTestFinished(() => setDefaultCACertificates(trusted))
    let addresses = [external ?? '']
    // Only the address that was checked leads to the server: the system resolves this name to loopback.
    const client = createOutbound([], 10_000, async () =>
      addresses.map((address) => ({ address, family: 4 })),
    )
    const ports: (number | undefined)[] = []
    const server = createSecureServer({ key, cert: certificate }, ({ socket }, answer) => {
      ports.push(socket.remotePort)
      answer.end('x')
    })
    const url = `https://localhost:${await listen(server, external)}/`
    for (let n = 0; n < 2; n += 1) await (await client(url, repeatable)).text()
    expect([ports.length, new Set(ports).size]).toEqual([2, 1])
    for (addresses of [['127.0.0.1'], [external ?? '', '169.254.169.254']])
      await expect(client(url, repeatable)).rejects.toMatchObject({ failure: 'REFUSED_TARGET' })
    expect(ports).toHaveLength(2)
  })
})
