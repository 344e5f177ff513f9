/**
 * Claim: that the access log is searched by a person, by whose data it was, by period, task, address and outcome within 50 ms at
 * 10,000,000 rows, each answer with its exact count.
 *
 * Run: npm run bench -- access-search (--rows=10000000 --months=24)
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { listAccess, listOwnAccess } from '../contract/audit.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../contract/envelope.ts'
import { urlOf } from '../server/db/embedded.ts'
import { sealed } from '../server/test-kit/seal.ts'
import { fill } from './lists/fill.ts'
import { startOwnDatabase } from './own-database.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '10000000' }, months: { type: 'string', default: '24' } },
})
const TIMES = 15
const MONTHS = Number(asked.months)
const ROWS_OF_A_MONTH = Math.ceil(Number(asked.rows) / MONTHS)
/** As many work with people's data; one of them does a tenth of it. */
const ACTORS = 300

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const pool = new pg.Pool({ ...own.connection, max: 2 })
const children: ChildProcess[] = []
try {
  const session = await fill(urlOf(own.connection), { users: 100_000, notices: 10, partners: 10, keys: 100 })
  const begin = performance.now()
  for (let back = MONTHS; back > 0; back -= 1) await fillMonth(back)
  await pool.query('vacuum (analyze) access_counts')
  await pool.query('analyze access_log')
  const { rows } = await pool.query<Record<'n' | 'table' | 'indexes', string>>(
    `select sum(position)::text as n, pg_size_pretty(sum(pg_table_size(inhrelid))) as table,
       pg_size_pretty(sum(pg_indexes_size(inhrelid))) as indexes
     from pg_inherits join access_log_heads on access_log_partition(month) = inhrelid::regclass::text
     where inhparent = 'access_log'::regclass`,
  )
  say(
    `${rows[0]?.n} rows in ${MONTHS} months, ${rows[0]?.table} and indexes of ${rows[0]?.indexes}, made in ${seconds(begin)} s`,
  )
  await search(await start(), session)
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

/**
 * A month that is over: six rows in ten of one person, the others lists of five; some people are in very many of them. Its table
 * becomes a part of the log when it is full, which is when its indexes are made.
 */
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
       case when n % 10 < 6 then 'read' when n % 1000 = 7 then 'export' when n % 50 = 9 then 'login' else 'search' end,
       case when n % 10 < 6 then '/stm/v1/user' when n % 1000 = 7 then '/stm/v1/exp/users' when n % 50 = 9 then '/stm/v1/login'
         else '/stm/v1/users' end,
       case when n % 10 = 0 then 1 else 1 + (random() * $3)::bigint end, 'kim', '10.0.' || n % 7 || '.' || n % 250, md5(n::text),
       case when n % 2000 = 3 then 'FORBIDDEN' else '' end, '',
       array(select (power(random(), 2) * 100000)::bigint + 1 from generate_series(1, case when n % 10 < 6 then 1 else 5 end) where n > 0),
       '{}', sha256(n::text::bytea) from generate_series(1, $2::int) as n`,
    [month, ROWS_OF_A_MONTH, ACTORS],
  )
  await pool.query(`alter table access_log attach partition ${name} for values in ('${month}')`)
  await pool.query(
    `insert into access_log_heads select month, position, at, hash from ${name} order by position desc limit 1`,
  )
  await pool.query(
    `insert into access_counts select (at at time zone 'Asia/Seoul')::date, act, call, result <> '', count(*) from ${name} group by 1, 2, 3, 4`,
  )
  await pool.query(`vacuum (analyze) ${name}`)
}

async function search(port: number, session: string): Promise<void> {
  const people = await pool.query<{ id: string; login_id: string }>(
    'select id, login_id from users where id in (1, 2, 150, 50000) order by id',
  )
  const [heaviest = '', , usual = '', seldom = ''] = people.rows.map((row) => row.login_id)
  const lists: [what: string, input: object][] = [
    ['all of it', {}],
    ['all of it, page 100,000', { page: 100_000 }],
    ['a month', { accessedFrom: '2026-03-01', accessedTo: '2026-03-31' }],
    ['one who does much', { actor: usual }],
    ['the same, the oldest first, page 500', { actor: usual, sort: 'accessedAt', order: 'ASC', page: 500 }],
    ['the same within half a year', { actor: usual, accessedFrom: '2026-01-10', accessedTo: '2026-07-09' }],
    ['the one who does a tenth of all', { actor: heaviest }],
    ['whose data: the most looked at', { subject: usual }],
    ['whose data: an ordinary person', { subject: seldom }],
    ['who and whose', { actor: heaviest, subject: usual }],
    ['an address', { address: '10.0.3.3' }],
    ['exports', { action: 'exportUsers' }],
    ['searches, page 1,000', { action: 'search', page: 1000 }],
    ['refused', { outcome: 'REFUSED' }],
    ['an ID that nobody has', { actor: 'nobody.here', subject: 'nobody.here' }],
  ]
  for (const [what, input] of lists) await time(port, session, listAccess, what, input)
  await time(port, session, listOwnAccess, 'who has looked at my data', {})
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
  say(`${what}: ${(sorted[Math.floor(TIMES / 2)] ?? 0).toFixed(1)} ms (the first time ${first.toFixed(0)})`)
}

function seconds(begin: number): string {
  return ((performance.now() - begin) / 1000).toFixed(0)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
