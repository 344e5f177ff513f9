/** Answers 429 to whatever comes and does nothing else: what a flood costs everybody on the machine, whoever refuses it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = JSON.stringify({
  code: 'TOO_MANY_TRIES',
  msg: '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.',
})
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
  'retry-after': '5',
}
const server = createServer((_request, answer) => answer.writeHead(429, headers).end(body))
// As long as Maru keeps a connection.
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
// Whoever started it is gone.
process.on('disconnect', () => process.exit())
