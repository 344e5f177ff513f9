/**
 * Claim: while one person asks on 200 connections, as often as they are answered, others wait at most twice as long as usual:
 * with the limits of calls as they come, and without any.
 *
 * Run: npm run bench -- crowd (--seconds=15 --profile)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SESSION_HEADER } from '../../contract/envelope.ts'
import { listNotices } from '../../contract/notices.ts'
import { urlOf } from '../../server/db/embedded.ts'
import { bytesOf, startFlood } from './flood/flood.ts'
import { compared, COMPARED_HEAD, timesOf } from './flood/times.ts'
import { startOwnDatabase } from './own-database.ts'
import { profiling, slowestFunctions } from './profile.ts'
import { signIn } from './sign-in.ts'
import { caller, startAsPeopleDo } from './started-maru.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '15' }, profile: { type: 'boolean', default: false } },
})
const CONNECTIONS = 200
const ms = Number(asked.seconds) * 1000

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const profiles = join(dataDir, 'profiles')
try {
  say(COMPARED_HEAD)
  for (const [what, percent] of [
    ['with the usual limit of calls', '100'],
    ['without a limit', '0'],
  ] as const)
    await measure(what, percent)
  if (asked.profile) for (const line of slowestFunctions(profiles)) say(line)
} finally {
  await own.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(what: string, percent: string): Promise<void> {
  const env = { DATABASE_URL: urlOf(own.connection), DATA_DIR: dataDir, CALL_LIMIT_PERCENT: percent }
  const maru = await startAsPeopleDo({ ...env, ...(asked.profile && profiling(profiles)) }, 'demo')
  const browser = caller(maru.port, 1)
  try {
    const [one = '', ...others] = await signIn(own.connection, 4)
    // Slowly enough for the limit of one person.
    const ask = (session: string) =>
      timesOf(() => browser.call(listNotices, {}, { [SESSION_HEADER]: session }), { ms, everyMs: 60 })
    const [first = '', second = '', third = ''] = others
    await ask(first)
    const usual = await ask(second)
    const requests = [bytesOf(listNotices, {}, { [SESSION_HEADER]: one })]
    const stop = startFlood({ port: maru.port, connections: CONNECTIONS, requests })
    await sleep(1_000)
    const cpu = maru.cpuMs()
    const meanwhile = await ask(third)
    const share = ((maru.cpuMs() - cpu) / ms) * 100
    say(compared(`a list, ${what}`, usual, meanwhile))
    say(`  ${await stop()}; CPU of the server ${share.toFixed(0)} %`)
  } finally {
    browser.close()
    await maru.stop()
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
