/** WORKERS=1 and 2 on this machine, in turns, on one database: what a second process brings. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { listCodes } from '../contract/common.ts'
import { login } from '../contract/account.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../contract/envelope.ts'
import { listUsers } from '../contract/users.ts'
import { urlOf } from '../server/db/embedded.ts'
import { portalAt } from '../server/test-kit/portal.ts'
import { startProgram } from '../server/test-kit/program.ts'
import { sealed } from '../server/test-kit/seal.ts'
import type { Load, Target } from './lists/load.ts'
import { startOwnDatabase } from './own-database.ts'

const ROUNDS = 3
const SECONDS = 5
const CONNECTIONS = 32
const PASSWORD = 'a-Good-One-2026'
const CALLS = {
  'codes, a small call': [listCodes, { codeGroup: 'COMBEL001' }],
  'users, a list': [listUsers, { page: 1, perPage: 20 }],
} as const

const own = await startOwnDatabase()
const perSecond = new Map<string, number[]>()
for (let round = 0; round < ROUNDS; round++) for (const workers of [1, 2]) await measure(workers)
await own.stop()

const median = (of: number[] = []) => of.toSorted((a, b) => a - b)[of.length >> 1] ?? Number.NaN
say(
  `${availableParallelism()} cores, which PostgreSQL and the ${CONNECTIONS} callers use too; calls per second, median of ${ROUNDS}`,
)
for (const name of Object.keys(CALLS)) {
  const [one, two] = [1, 2].map((workers) => median(perSecond.get(`${workers} ${name}`)))
  if (one === undefined || two === undefined) continue
  say(
    `${name.padEnd(22)} WORKERS=1 ${one.toFixed(0).padStart(6)}   WORKERS=2 ${two.toFixed(0).padStart(6)}   ratio ${(two / one).toFixed(2)}`,
  )
}

async function measure(workers: number): Promise<void> {
  const maru = startProgram(own.dataDir, {
    DATA_DIR: own.dataDir,
    DATABASE_URL: urlOf(own.connection),
    WORKERS: String(workers),
    ADMIN_PASSWORD: PASSWORD,
    LOG_LEVEL: 'error',
  })
  const port = Number(new URL(await maru.url).port)
  const { sessionUid } = await portalAt(port, '').call(login, { loginId: 'admin', password: PASSWORD })
  for (const [name, [endpoint, input]] of Object.entries(CALLS)) {
    const target = targetOf(port, endpoint, input, sessionUid)
    await load(target, 1)
    const key = `${workers} ${name}`
    perSecond.set(key, [...(perSecond.get(key) ?? []), (await load(target, SECONDS)).perSecond])
  }
  maru.process.kill('SIGTERM')
  await maru.ended
}

function targetOf(port: number, endpoint: Endpoint, input: unknown, session: string): Target {
  const headers = { 'Content-Type': 'application/json', [SESSION_HEADER]: session }
  return { port, path: API_BASE + endpoint.path, headers, body: sealed(endpoint, input) }
}

async function load(target: Target, seconds: number): Promise<Load> {
  const child: ChildProcess = fork(new URL('lists/load.ts', import.meta.url), {
    env: { ...process.env, LOAD: JSON.stringify({ ...target, seconds, connections: CONNECTIONS }) },
  })
  const [answered] = (await once(child, 'message')) as [Load]
  return answered
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
