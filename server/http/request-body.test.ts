import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listCodes } from '../../contract/common.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { createApp } from '../app.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { sealInput } from '../../dev/test-kit/seal.ts'

const maru = useMaru({}, { maxBodyMs: 1_000 })

const body = sealInput(listCodes, { codeGroup: 'COMBEL001' })

async function connectTo(app: FastifyInstance): Promise<Socket> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return connect((app.server.address() as AddressInfo).port, '127.0.0.1')
}

/** Sends a call but for the end of its body. */
async function begin(app: FastifyInstance): Promise<Socket> {
  const socket = await connectTo(app)
  const reached = once(app.server, 'request')
  socket.write(
    `POST ${API_BASE}${listCodes.path} HTTP/1.1\r\nHost: maru\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.slice(0, 10))
  await reached
  return socket
}

test('cuts off a body that does not arrive in time', async () => {
  expect(await text(await begin(maru.app))).not.toContain(' 200 ')
})

test('answers a body that is slow but in time', async () => {
  const { database, services } = maru
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  const app = await createApp({ database, services, logger: pino({ level: 'silent' }), maxBodyMs: 600_000 })
  const socket = await begin(app)
  // The server waits for the rest, for as long as it was told to.
  await expect.poll(() => timers.mock.calls.map(([, ms]) => ms)).toContain(600_000)
  socket.write(body.slice(10))
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /)
  await app.close()
})

test('refuses a request that states its length twice, in two ways', async () => {
  const socket = await connectTo(maru.app)
  // Where a proxy believes the one and the server the other, a second request hides in the body of the first.
  socket.write(
    `POST ${API_BASE}${listCodes.path} HTTP/1.1\r\nHost: maru\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: maru\r\n\r\n`,
  )
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(answer.match(/HTTP\/1.1 /g)).toHaveLength(1)
})
