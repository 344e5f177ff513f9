import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listCodes } from '../../contract/common.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { useMaru } from '../test-kit/maru.ts'
import { sealed } from '../test-kit/seal.ts'

const maru = useMaru({}, { maxBodyMs: 1_000 })

const body = sealed(listCodes, { codeGroup: 'COMBEL001' })

/** Sends a call, its body in two parts; gives what comes back until the connection ends. */
async function send(pauseMs: number): Promise<string> {
  if (!maru.app.server.listening) await maru.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((maru.app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  const answer = text(socket)
  socket.write(
    `POST ${API_BASE}${listCodes.path} HTTP/1.1\r\nHost: maru\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.slice(0, 10))
  const timer = setTimeout(() => socket.write(body.slice(10)), pauseMs)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}

test('a body that does not arrive in time is cut off', async () => {
  expect(await send(20_000)).not.toContain(' 200 ')
}, 10_000)

test('one that is slow but in time is answered', async () => {
  expect(await send(300)).toMatch(/^HTTP\/1.1 200 /)
})
