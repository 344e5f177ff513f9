import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Endpoint, InputOf, OutputOf } from '../../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import { sealInput, openOutput } from '../../test-kit/seal.ts'
import { atEnd } from './bench.ts'

/** HTTP client of a running Maru server. It keeps its connections open, as browsers do. */
export interface Caller {
  /** Makes a call and returns as soon as its response begins, whatever its status. The caller reads the body. */
  open<E extends Endpoint>(endpoint: E, input: InputOf<E>, headers: Headers): Promise<IncomingMessage>
  /** Makes a call, reads its response to the end, and returns the status; undefined if Node.js states none. */
  status<E extends Endpoint>(endpoint: E, input: InputOf<E>, headers: Headers): Promise<number | undefined>
  /**
   * Makes a call and returns its output.
   * @throws {Error} if the status is not 200
   */
  output<E extends Endpoint>(endpoint: E, input: InputOf<E>, headers: Headers): Promise<OutputOf<E>>
  /** Closes the connections. May be repeated. */
  close(): void
}

/** HTTP headers of a call, by name. */
type Headers = Record<string, string>

/**
 * Returns the headers of a logged-in user.
 * @param session sessionUid
 */
export const as = (session: string): Headers => ({ [SESSION_HEADER]: session })

/** Creates a client with at most this many connections. It closes when the benchmark ends. */
export function createCaller(port: number, connections: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  atEnd(() => agent.destroy())
  const open: Caller['open'] = async (endpoint, input, headers) => {
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: API_BASE + endpoint.path,
      headers: { 'content-type': 'application/json', ...headers },
    })
    sent.end(sealInput(endpoint, input))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return answer
  }
  return {
    open,
    async status(endpoint, input, headers) {
      const answer = await open(endpoint, input, headers)
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode
    },
    async output(endpoint, input, headers) {
      const answer = await open(endpoint, input, headers)
      const body = await text(answer)
      if (answer.statusCode !== 200) throw new Error(`${endpoint.path}: ${answer.statusCode} ${body}`)
      return openOutput(endpoint, body) as never
    },
    close: () => agent.destroy(),
  }
}
