/**
 * Claim: that every look at personal data is on record before the answer leaves costs at most a tenth of the requests per second of a
 * list of people; and a month of it is searched by whose data it was within 50 ms.
 *
 * Run: npm run bench -- access-log (--seconds=5 --rounds=6)
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { listUsers } from '../../contract/users.ts'
import { urlOf } from '../../server/db/embedded.ts'
import { verifyLog } from '../../server/services/access-log/verify.ts'
import { deriveFrom } from '../../server/services/key-secret.ts'
import { sealed } from '../test-kit/seal.ts'
import { fill } from './lists/fill.ts'
import type { Load } from './lists/load.ts'
import { startOwnDatabase } from './own-database.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '6' } },
})
const CONNECTIONS = 32
const ROWS = 400_000
const PEOPLE_OF_A_ROW = 20
const SECRET = 'the measurement has a secret of its own'

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const pool = new pg.Pool({ ...own.connection, max: 2 })
const children: ChildProcess[] = []
try {
  const session = await fill(urlOf(own.connection), {
    users: 100_000,
    notices: 100,
    partners: 100,
    keys: 1000,
  })
  const ports = { with: await start(true), without: await start(false) }
  for (const perPage of [8, 100]) await compare(ports, session, perPage)
  await verify()
  await search()
} finally {
  for (const child of children) child.disconnect()
  await Promise.all(children.map(async (child) => child.exitCode ?? (await once(child, 'exit'))))
  await pool.end()
  await own.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function start(isLogged: boolean): Promise<number> {
  const child = fork(new URL('access-log/server.ts', import.meta.url), {
    env: {
      ...process.env,
      SERVER: JSON.stringify({ connection: own.connection, isLogged }),
      DATA_DIR: dataDir,
      KEY_SECRET: SECRET.replaceAll(' ', '-'),
    },
  })
  children.push(child)
  const [port] = (await once(child, 'message')) as [number]
  return port
}

/** Both in turns, so that what others do on the machine is the same for both. */
async function compare(ports: Record<'with' | 'without', number>, session: string, perPage: number) {
  const loads = { with: [] as number[], without: [] as number[] }
  const waits = { with: [] as number[], without: [] as number[] }
  for (let round = -1; round < Number(asked.rounds); round += 1) {
    for (const which of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const load = await underLoad(ports[which], session, perPage, round < 0 ? 1 : Number(asked.seconds))
      if (round < 0) continue
      loads[which].push(load.perSecond)
      waits[which].push(load.p50)
    }
  }
  const [a, b] = [middle(loads.with), middle(loads.without)]
  say(
    `a list of ${perPage}: ${a.toFixed(0)} requests/s with the log (p50 ${middle(waits.with).toFixed(1)} ms), ${b.toFixed(0)} without (${middle(waits.without).toFixed(1)} ms): ${((1 - a / b) * 100).toFixed(1)} %`,
  )
}

async function underLoad(port: number, session: string, perPage: number, seconds: number): Promise<Load> {
  const target = {
    port,
    path: API_BASE + listUsers.path,
    headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
    body: sealed(listUsers, { perPage }),
  }
  const env = { ...process.env, LOAD: JSON.stringify({ ...target, connections: CONNECTIONS, seconds }) }
  const [load] = (await once(fork(new URL('lists/load.ts', import.meta.url), { env }), 'message')) as [Load]
  if (load.refused > 0) throw new Error(`${load.refused} were refused`)
  return load
}

async function verify(): Promise<void> {
  const seeds = deriveFrom(SECRET.replaceAll(' ', '-')).logSeeds
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const begin = performance.now()
  for await (const { rows, problem } of verifyLog({ pool, dataDir, seeds })) {
    const [{ groups } = { groups: 0 }] = (
      await pool.query<{ groups: number }>('select count(distinct at)::int as groups from access_log')
    ).rows
    say(
      `${rows} rows in ${groups} groups; the check reads ${((rows / (performance.now() - begin)) * 1000).toFixed(0)} rows/s: ${problem || 'nothing wrong'}`,
    )
  }
}

/** A month of a large company's log, whose rows name so many people each; some people are in many of them. */
async function search(): Promise<void> {
  await pool.query(`select access_log_open('2020-01-01')`)
  await pool.query(
    `insert into access_log select '2020-01-01', n, timestamptz '2020-01-01' + n * interval '6.6 s', 'search', '/stm/v1/users', n % 300,
       'kim', '10.0.0.1', md5(n::text), '', 'name', array(select (power(random(), 3) * 100000)::bigint from generate_series(1, $2)
       where n > 0), '{}', sha256(n::text::bytea) from generate_series(1, $1::int) as n`,
    [ROWS, PEOPLE_OF_A_ROW],
  )
  await pool.query('vacuum (analyze) access_log_2020_01')
  await pool.query(
    `create table side as select subject, position from access_log_2020_01, unnest(subjects) as subject;
     create index on side (subject, position)`,
  )
  const { rows } = await pool.query<Record<'table' | 'gin' | 'side', string>>(
    `select pg_size_pretty(pg_table_size('access_log_2020_01')) as table,
       pg_size_pretty(pg_relation_size('access_log_2020_01_subjects_idx')) as gin,
       pg_size_pretty(pg_total_relation_size('side')) as side`,
  )
  say(
    `${ROWS} rows of ${PEOPLE_OF_A_ROW} people: ${rows[0]?.table}; by whose data: ${rows[0]?.gin} as an index of arrays, ${rows[0]?.side} as a table`,
  )
  for (const person of [0, 50_000]) {
    const times = []
    let found = 0
    for (let n = 0; n < 9; n += 1) {
      const begin = performance.now()
      const answer = await pool.query(
        `select * from access_log where month = '2020-01-01' and subjects @> array[$1::bigint] order by position desc limit 20`,
        [person],
      )
      times.push(performance.now() - begin)
      found = answer.rowCount ?? 0
    }
    const [{ n } = { n: 0 }] = (
      await pool.query<{ n: number }>(
        `select count(*)::int as n from access_log where month = '2020-01-01' and subjects @> array[$1::bigint]`,
        [person],
      )
    ).rows
    say(`the newest ${found} of ${n} rows of one person: ${middle(times).toFixed(1)} ms`)
  }
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
