/**
 * Claim: under load all processes of Maru, PostgreSQL's apart, hold at most 300 MB, and over half an hour of mixed work at 70 %
 * of what it can do that stays flat within a tenth.
 *
 * Run: npm run bench -- soak (--minutes=30 --load=0.7 --connections=32; --profile says at the end where the time went)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { SESSION_HEADER } from '../../contract/envelope.ts'
import { exportUsers } from '../../contract/users.ts'
import { urlOf } from '../../server/db/embedded.ts'
import { openDatabase } from '../../server/db/open.ts'
import { startSession } from '../../server/http/sessions.ts'
import { portalAt } from '../test-kit/portal.ts'
import { startOwnDatabase } from './own-database.ts'
import { profiling, slowestFunctions } from './profile.ts'
import { drawCall, type Question } from './soak/calls.ts'
import { caller, startAsPeopleDo } from './started-maru.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '30' },
    load: { type: 'string', default: '0.7' },
    connections: { type: 'string', default: '32' },
    profile: { type: 'boolean', default: false },
  },
})
const connections = Number(asked.connections)
const CAPACITY_MS = 10_000
const FILE_EVERY_MS = 10_000
const FILE = { name: '측정.bin', size: 20 * 1024 * 1024 }

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const url = urlOf(own.connection)
const profiles = join(dataDir, 'profiles')
const maru = await startAsPeopleDo(
  { DATABASE_URL: url, DATA_DIR: dataDir, ...(asked.profile && profiling(profiles)) },
  'demo',
)
const pool = new pg.Pool({ connectionString: url, max: 1 })
const browsers = caller(maru.port, connections)
const session = await signIn()
const portal = portalAt(maru.port, session)
/** What came of the calls since it was looked at last. */
let times: number[] = []
let failed = 0

try {
  say(`at rest ${residentNow()} MB`)
  const capacity = await work(CAPACITY_MS, Infinity)
  report('full load', capacity, CAPACITY_MS)
  const perSecond = capacity * Number(asked.load)
  say(
    `now ${asked.load} of ${capacity.toFixed(0)} calls/s for ${asked.minutes} min, and every 10 s a file of 20 MB up and down and an export`,
  )
  const sums: number[] = []
  for (let minute = 1; minute <= Number(asked.minutes); minute += 1) {
    report(`minute ${minute}`, await work(60_000, perSecond, true), 60_000)
    sums.push(sum(maru.resident()))
    say(`         ${await largestTables()}`)
  }
  // What the first tenth fills once, caches and connections, is not growth.
  const later = sums.slice(Math.floor(sums.length / 10))
  const [least, most] = [Math.min(...later), Math.max(...later)]
  say(`from ${least.toFixed(0)} to ${most.toFixed(0)} MB: ${((most / least - 1) * 100).toFixed(0)} %`)
} finally {
  browsers.close()
  await maru.stop()
  if (asked.profile) for (const line of slowestFunctions(profiles)) say(line)
  await pool.end()
  await own.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function signIn(): Promise<string> {
  const database = await openDatabase({ connectionString: url, max: 1 }, () => {})
  const { rows } = await database.pool.query<{ id: string }>(`select id from users where login_id = 'admin'`)
  const token = await database.db
    .transaction()
    .execute((tx) =>
      startSession(tx, { userId: rows[0]?.id ?? '', address: '127.0.0.1', userAgent: 'bench' }),
    )
  await database.close()
  return token
}

/** Calls on all connections for so long, at most so often. @returns calls answered a second */
async function work(ms: number, perSecond: number, withFiles = false): Promise<number> {
  times = []
  failed = 0
  const begin = performance.now()
  let next = begin
  const keepCalling = async () => {
    while (performance.now() < begin + ms) {
      next = Math.max(next, performance.now() - 1_000) + 1000 / perSecond
      if (next > performance.now()) await sleep(next - performance.now())
      await ask(drawCall())
    }
  }
  const keepMoving = async () => {
    while (performance.now() < begin + ms - FILE_EVERY_MS) {
      const noticeId = await portal.write()
      await portal.sendForm(noticeId, FILE)
      await portal.receive(noticeId)
      await ask({ endpoint: exportUsers, input: { format: 'xlsx', reason: '측정' } })
      await sleep(FILE_EVERY_MS)
    }
  }
  await Promise.all([...Array.from({ length: connections }, keepCalling), withFiles && keepMoving()])
  return times.length / ((performance.now() - begin) / 1000)
}

async function ask({ endpoint, input }: Question): Promise<void> {
  const begin = performance.now()
  const status = await browsers.call(endpoint, input, { [SESSION_HEADER]: session })
  if (status === 200) times.push(performance.now() - begin)
  else failed += 1
}

function report(what: string, perSecond: number, ms: number): void {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(1)
  const refused = failed > 0 ? `, ${failed} refused` : ''
  say(
    `${what}: ${residentNow()} MB, ${perSecond.toFixed(0)} calls/s for ${ms / 1000} s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms${refused}`,
  )
}

function residentNow(): string {
  const parts = maru.resident().map((mb) => mb.toFixed(0))
  return parts.length > 1 ? `${sum(maru.resident()).toFixed(0)} (${parts.join(' + ')})` : parts.join('')
}

async function largestTables(): Promise<string> {
  const { rows } = await pool.query<{ name: string; mb: string }>(
    `select relname as name, round(pg_total_relation_size(oid) / 1048576.0, 1)::text as mb from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc limit 5`,
  )
  return rows.map(({ name, mb }) => `${name} ${mb} MB`).join(', ')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
