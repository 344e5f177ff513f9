/**
 * The floor: node:http and the driver. A question is one statement, which the database parses and plans once, on copies of
 * the tables with the plain indexes that anybody would make (`fill.ts`).
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'

// Without JIT as Maru; all else is as the database comes.
const pool = new pg.Pool({ connectionString: process.env['URL'], max: 20, options: '-c jit=off' })
const names = new Map<string, string>()

const server = createServer((request, response) => {
  text(request)
    .then((asked) => {
      const name = names.get(asked) ?? `floor-${names.size}`
      names.set(asked, name)
      return pool.query<object>({ name, text: asked })
    })
    .then(({ rows }) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(rows[0])))
    .catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
