/**
 * Claim: logging in takes hardly more than its argon2: at least 0.9 times as many logins as hashes by bare node:crypto with
 * the same parameters, in turns, and the event loop is held up for less than 20 ms (p99) meanwhile.
 *
 * Run: npm run bench -- login (--seconds=5 --rounds=3; --profile says where the time goes)
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { login } from '../../contract/account.ts'
import { urlOf } from '../../server/db/embedded.ts'
import { createPasswords } from '../../server/services/password.ts'
import { startOwnDatabase } from './own-database.ts'
import { profiling, slowestFunctions } from './profile.ts'
import { caller, startAsPeopleDo } from './started-maru.ts'

const CONNECTIONS = 32
const PEOPLE = 100
let next = 0
const PASSWORD = 'a-Good-One-2026'
/** The resolution of prom-client's measurement, which it counts in. */
const LAG_STEP_MS = 10
const { values: asked } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'boolean', default: false },
  },
})
const ms = Number(asked.seconds) * 1000

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const url = urlOf(own.connection)
// Each person has an address: one address may try sixty times a minute, and one that is new to a person is mailed about.
const maru = await startAsPeopleDo(
  { DATABASE_URL: url, DATA_DIR: dataDir, TRUST_PROXY: 'loopback', ...(asked.profile && profiling(dataDir)) },
  'demo',
)
const pool = new pg.Pool({ connectionString: url, max: 1 })
const browsers = caller(maru.port, CONNECTIONS)
try {
  // Some of the demo who may log in, with one password: few enough that all of them have before it counts.
  await pool.query('update users set password_hash = $1', [await createPasswords().hash(PASSWORD)])
  const { rows } = await pool.query<{ login_id: string }>(
    'select login_id from users u where login_refusal(u) is null limit $1',
    [PEOPLE],
  )
  const people = rows.map((row) => row.login_id)
  const ratios: number[] = []
  await logIn(people)
  for (let round = 0; round < Number(asked.rounds); round += 1) {
    await lagMs()
    const [logins, cpu] = await logIn(people)
    const lag = await lagMs()
    const [hashes, bareCpu] = await bare()
    ratios.push(logins / hashes)
    process.stdout.write(
      `logins ${logins.toFixed(1)}/s, bare argon2 ${hashes.toFixed(1)}/s: ${(logins / hashes).toFixed(2)}; CPU of the server ${cpu.toFixed(1)} and ${bareCpu.toFixed(1)} ms; event loop p99 ${lag.toFixed(1)} ms; ${maru.resident()[0]?.toFixed(0)} MB\n`,
    )
  }
  process.stdout.write(`median ${ratios.toSorted((a, b) => a - b)[ratios.length >> 1]?.toFixed(2)}\n`)
} finally {
  browsers.close()
  await maru.stop()
  await pool.end()
  await own.stop()
  if (asked.profile) process.stdout.write(`\n${slowestFunctions(dataDir).join('\n')}\n`)
  rmSync(dataDir, { recursive: true, force: true })
}

/** @returns logins a second on all connections, and the server's CPU ms for one */
async function logIn(people: string[]): Promise<[perSecond: number, cpuMs: number]> {
  const before = maru.cpuMs()
  const begin = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < begin + ms) {
        const number = next++ % people.length
        const loginId = people[number] ?? ''
        const status = await browsers.call(
          login,
          { loginId, password: PASSWORD },
          { 'x-forwarded-for': `10.0.0.${number + 1}` },
        )
        if (status !== 200) throw new Error(`login answered ${status}`)
        done += 1
      }
    }),
  )
  return [done / ((performance.now() - begin) / 1000), (maru.cpuMs() - before) / done]
}

/** @returns hashes a second, and the CPU ms for one, in a process of its own that does nothing else */
async function bare(): Promise<[perSecond: number, cpuMs: number]> {
  const child = fork(new URL('login/bare-argon2.ts', import.meta.url), {
    env: { ...process.env, LOAD: JSON.stringify({ ms, connections: CONNECTIONS }) },
  })
  const [measured] = (await once(child, 'message')) as [[number, number]]
  return measured
}

/** The delay of the event loop since it was asked last. */
async function lagMs(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${maru.port}/metrics`)).text()
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]
  return Math.max(0, Number(seconds) * 1000 - LAG_STEP_MS)
}
