/** Supports design/requests-and-load#bodies-and-connections-in-flight and docs/rules/running.md#in-flight. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { checkImport, IMPORT_MAX_BYTES } from '../../contract/users/import.ts'
import { defineBench, say } from './harness/bench.ts'
import { startDemo } from './harness/maru.ts'
import { countsOf } from './harness/numbers.ts'

/** Bytes that a socket sends: the largest body without its last KB. */
const SENT = Buffer.alloc(IMPORT_MAX_BYTES - 1024, 'A')

/**
 * Opens `sockets` and then twice as many sockets, with an unknown session and with an administrator's, and prints the
 * memory before, during and after.
 */
export default defineBench({
  name: 'sockets',
  claim: 'Connections that send the body of an import slowly hold no more memory than the limit of bodies',
  options: { sockets: 300, seconds: 15 },
  async run({ sockets, seconds }) {
    const maru = await startDemo()
    const admin = await maru.signInAdmin()
    const resident = () => Math.round(maru.residentMb())
    for (const count of [sockets, sockets * 2]) {
      await hold(`${count} sockets of nobody`, count, 'made-up')
      await hold(`${count} sockets of one person`, count, admin)
    }

    /**
     * Opens sockets that each send nearly all of a body and then nothing, closes them after `seconds`, and prints the
     * memory and the statuses of responses 10 seconds later.
     */
    async function hold(what: string, count: number, session: string): Promise<void> {
      const before = resident()
      const head = [
        `POST ${API_BASE}${checkImport.path} HTTP/1.1`,
        'Host: localhost',
        'Content-Type: application/json',
        `${SESSION_HEADER}: ${session}`,
        `Content-Length: ${IMPORT_MAX_BYTES}\r\n\r\n`,
      ].join('\r\n')
      const statuses: string[] = []
      const opened = Array.from({ length: count }, () => send(maru.port, head, statuses))
      let most = before
      for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
        most = Math.max(most, resident())
        await sleep(100)
      }
      for (const socket of opened) socket.destroy()
      await sleep(10_000)
      say(
        `${what}: ${before} MB before, at most ${most} MB, ${resident()} MB after; answered ${countsOf(statuses)}`,
      )
    }
  },
})

/**
 * Opens a socket that sends a head and nearly all of a body, and adds the status of a response to `statuses`. Ignores
 * errors of the connection.
 */
function send(port: number, head: string, statuses: string[]): Socket {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.once('data', (chunk: Buffer) => statuses.push(chunk.toString('latin1').slice(9, 12)))
  socket.resume()
  socket.write(head)
  socket.write(SENT)
  return socket
}
