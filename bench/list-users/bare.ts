/** The floor: node:http and the driver, nothing else. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { Target } from './load.ts'

const statements = JSON.parse(process.env['STATEMENTS'] ?? '') as Target['statements']
const pool = new pg.Pool({ ...(JSON.parse(process.env['CONNECTION'] ?? '') as pg.PoolConfig), max: 20 })

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    Promise.all(statements.map((statement) => pool.query(statement))).then(
      (results) => {
        response.setHeader('Content-Type', 'application/json')
        response.end(JSON.stringify(results.map((result) => result.rows as unknown[])))
      },
      () => {
        response.statusCode = 500
        response.end()
      },
    )
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ port, path: '/', headers: {}, body: '', statements: [] } satisfies Target)
})
