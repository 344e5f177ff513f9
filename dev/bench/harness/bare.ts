/** The floors: servers that do the least that Maru has to do, each in a process of its own. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { inputOf } from './child.ts'

/** Task of a bare process. */
export type Bare =
  /** Answers the SQL statement in the body, on copies of the tables with plain indexes. */
  | { kind: 'sql'; url: string }
  /** Refuses everything. */
  | { kind: 'refusing' }
  /** Receives webhooks. Returns its counts when asked. */
  | { kind: 'receiving' }

/** Counts of a receiver of webhooks. */
export interface ReceiverCounts {
  requests: number
  /** Different IDs of events. */
  ids: number
  connections: number
}

const server = createServer(listenerOf(await inputOf<Bare>()))
// As long as Maru keeps a connection.
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

/**
 * Returns the request listener of a bare server: 429 to all (`refusing`); 204, and counts to the parent (`receiving`);
 * the first row as JSON, or 500 with the error (`sql`).
 */
function listenerOf(bare: Bare): RequestListener {
  if (bare.kind === 'refusing') {
    const body = JSON.stringify({
      code: 'TOO_MANY_TRIES',
      msg: '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.',
    })
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'retry-after': '5',
    }
    return (_request, answer) => answer.writeHead(429, headers).end(body)
  }
  if (bare.kind === 'receiving') {
    let requests = 0
    const [ids, sockets] = [new Set<unknown>(), new Set<unknown>()]
    const counts = (): ReceiverCounts => ({ requests, ids: ids.size, connections: sockets.size })
    process.on('message', () => process.send?.(counts()))
    return (request, answer) => {
      requests += 1
      ids.add(request.headers['webhook-id'])
      sockets.add(request.socket)
      request.resume().on('end', () => answer.writeHead(204).end())
    }
  }
  // Without JIT, as Maru. Each statement has a name, so that PostgreSQL parses and plans it once.
  const pool = new pg.Pool({ connectionString: bare.url, max: 20, options: '-c jit=off' })
  const names = new Map<string, string>()
  return (request, response) => {
    text(request)
      .then((statement) => {
        const name = names.get(statement) ?? `floor-${names.size}`
        names.set(statement, name)
        return pool.query<object>({ name, text: statement })
      })
      .then(({ rows }) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(rows[0])))
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  }
}
