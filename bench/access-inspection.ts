/**
 * Claim: that a month of the access log is searched for what is unusual, by all rules, within 10 s at 10,000,000 rows.
 *
 * Run: npm run bench -- access-inspection (--rows=10000000 --months=4)
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { getInspection, listInspections, searchMonth } from '../contract/audit.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../contract/envelope.ts'
import { urlOf } from '../server/db/embedded.ts'
import { sealed } from '../server/test-kit/seal.ts'
import { fill } from './lists/fill.ts'
import { startOwnDatabase } from './own-database.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '10000000' }, months: { type: 'string', default: '4' } },
})
const TIMES = 5
const MONTHS = Number(asked.months)
const ROWS_OF_A_MONTH = Math.ceil(Number(asked.rows) / MONTHS)
/** As many work with people's data, each at two addresses, and once in 5,000 times at any other. */
const ACTORS = 3000

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const pool = new pg.Pool({ ...own.connection, max: 2 })
const children: ChildProcess[] = []
try {
  const session = await fill(urlOf(own.connection), { users: 100_000, notices: 10, partners: 10, keys: 100 })
  const begin = performance.now()
  for (let back = MONTHS; back > 0; back -= 1) await fillMonth(back)
  say(
    `${MONTHS} months of ${ROWS_OF_A_MONTH} rows, made in ${((performance.now() - begin) / 1000).toFixed(0)} s`,
  )
  const { rows } = await pool.query<{ month: string }>(
    `select to_char(max(month), 'YYYY-MM') as month from access_log_heads where position > 1000`,
  )
  const month = rows[0]?.month ?? ''
  const port = await start()
  await time(port, session, searchMonth, 'a month is searched', { month })
  await time(port, session, getInspection, 'its inspection is opened', { month })
  await time(port, session, listInspections, 'all months', {})
} finally {
  for (const child of children) child.disconnect()
  await Promise.all(children.map(async (child) => child.exitCode ?? (await once(child, 'exit'))))
  await pool.end()
  await own.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function start(): Promise<number> {
  const child = fork(new URL('access-log/server.ts', import.meta.url), {
    env: {
      ...process.env,
      SERVER: JSON.stringify({ connection: own.connection, isLogged: true }),
      DATA_DIR: dataDir,
    },
  })
  children.push(child)
  const [port] = (await once(child, 'message')) as [number]
  return port
}

/** A month that is over: six rows in ten of one person, the others lists of five. Its indexes are made when it is full. */
async function fillMonth(back: number): Promise<void> {
  const { rows } = await pool.query<{ month: string; name: string }>(
    `select month::text, access_log_partition(month) as name from (
       select (date_trunc('month', now() at time zone 'Asia/Seoul') - make_interval(months => $1))::date as month) as m`,
    [back],
  )
  const [{ month, name } = { month: '', name: '' }] = rows
  await pool.query(`create table ${name} (like access_log including defaults including constraints)`)
  await pool.query(
    `insert into ${name} select $1::date, n, ($1::date::timestamp at time zone 'Asia/Seoul') + n * interval '28 days' / $2::int,
       case when n % 10 < 6 then 'read' when n % 1000 = 7 then 'export' when n % 50 = 9 then 'login' else 'search' end, '/stm/v1/users',
       actor, 'kim', '10.' || case when n % 5000 = 1 then 99 else actor / 250 end || '.' || actor % 250 || '.' || n % 2, 'r',
       case when n % 2000 in (3, 9) then 'FORBIDDEN' else '' end, '',
       array(select (power(random(), 2) * 100000)::bigint + 1 from generate_series(1, case when n % 10 < 6 then 1 else 5 end) where n > 0),
       '{}', decode(md5(n::text), 'hex')
     from (select n, 1 + (n * 7919 % $3)::bigint as actor from generate_series(1, $2::bigint) as n) as rows`,
    [month, ROWS_OF_A_MONTH, ACTORS],
  )
  await pool.query(`alter table access_log attach partition ${name} for values in ('${month}')`)
  await pool.query(
    `insert into access_log_heads select month, position, at, hash from ${name} order by position desc limit 1`,
  )
  await pool.query(`vacuum (analyze) ${name}`)
}

async function time(
  port: number,
  session: string,
  call: Endpoint,
  what: string,
  input: object,
): Promise<void> {
  const times = []
  for (let n = 0; n < TIMES; n += 1) {
    const begin = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}${API_BASE}${call.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
      body: sealed(call, input),
    })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${what}: ${answer.status}`)
    times.push(performance.now() - begin)
  }
  const [first = 0] = times
  const sorted = times.toSorted((a, b) => a - b)
  say(`${what}: ${(sorted[Math.floor(TIMES / 2)] ?? 0).toFixed(0)} ms (the first time ${first.toFixed(0)})`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
