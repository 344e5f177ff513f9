/** The whole stack as production builds it, on the demo data, with one signed-in administrator. */
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { listUsers } from '../../contract/users.ts'
import { sealed } from '../test-kit/seal.ts'
import { createDemoApp } from './demo-app.ts'
import type { Target } from './lists/load.ts'

const { app, session } = await createDemoApp(JSON.parse(process.env['CONNECTION'] ?? '') as pg.PoolConfig)
app.server.listen(0, '127.0.0.1')
await new Promise((resolve) => app.server.once('listening', resolve))

process.send?.({
  port: (app.server.address() as AddressInfo).port,
  path: API_BASE + listUsers.path,
  headers: { 'Content-Type': 'application/json', [SESSION_HEADER]: session },
  body: sealed(listUsers, { page: 1, perPage: 5 }),
} satisfies Target)
