/**
 * Claim: the list call of users through the whole stack (envelope, session, permission, validation)
 * reaches at least half the requests per second of a bare node:http server that runs the same SQL with
 * the same driver. Both in one run, in turns, because machines are noisy: look at the ratio.
 *
 * Run: npm run bench -- list-users
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../server/db/embedded.ts'
import type { Target } from './list-users/load.ts'

const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 16

const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const embedded = await startEmbedded({ dataDir, log: () => {} })
const children: ChildProcess[] = []

async function start(file: string, env: Record<string, string>): Promise<Target> {
  const child = fork(new URL(`list-users/${file}`, import.meta.url), { env: { ...process.env, ...env } })
  children.push(child)
  const [target] = (await once(child, 'message')) as [Target]
  return target
}

async function requestsPerSecond(target: Target, seconds: number): Promise<number> {
  const child = fork(new URL('list-users/load.ts', import.meta.url), {
    env: { ...process.env, LOAD: JSON.stringify({ ...target, seconds, connections: CONNECTIONS }) },
  })
  const [answered] = (await once(child, 'message')) as [number]
  return answered / seconds
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

try {
  const env = { CONNECTION: JSON.stringify(embedded.connection), DATA_DIR: dataDir }
  const maru = await start('maru.ts', env)
  const bare = await start('bare.ts', { ...env, STATEMENTS: JSON.stringify(maru.statements) })
  process.stdout.write(
    `${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each, in turns; 300 users, page 1\n`,
  )
  await requestsPerSecond(maru, 2)
  await requestsPerSecond(bare, 2)

  const ratios: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const whole = await requestsPerSecond(maru, SECONDS)
    const floor = await requestsPerSecond(bare, SECONDS)
    ratios.push(whole / floor)
    process.stdout.write(
      `round ${round}: maru ${whole.toFixed(0)}/s, bare ${floor.toFixed(0)}/s, ratio ${(whole / floor).toFixed(2)}\n`,
    )
  }
  process.stdout.write(`ratio: median ${median(ratios).toFixed(2)} (claimed: at least 0.50)\n`)
} finally {
  for (const child of children) child.kill()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
