import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import { urlOf } from '../../../server/db/embedded.ts'
import { sealed } from '../../test-kit/seal.ts'
import { fill } from '../lists/fill.ts'
import { startOwnDatabase } from '../own-database.ts'

/** How an access log of months that are over is filled. */
export interface Filling {
  months: number
  /** In all months together. */
  rows: number
  /** The rows of a month as a query: `$1` is its first day, `$2` how many. */
  rowsOfMonth: string
  /** So often a call is made. */
  times: number
}

/** Makes a call so often and says its median, and the first time. */
type Time = (call: Endpoint, what: string, input: object) => Promise<void>

/** Fills an access log, serves it, and calls `use`; then all of it is removed. */
export async function onFilledLog(
  { months, rows, rowsOfMonth, times }: Filling,
  use: (pool: pg.Pool, time: Time) => Promise<void>,
): Promise<void> {
  const own = await startOwnDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
  const pool = new pg.Pool({ ...own.connection, max: 2 })
  let server: ChildProcess | undefined
  try {
    const session = await fill(urlOf(own.connection), {
      users: 100_000,
      notices: 10,
      partners: 10,
      keys: 100,
    })
    const begin = performance.now()
    for (let back = months; back > 0; back -= 1)
      await fillMonth(pool, back, rowsOfMonth, Math.ceil(rows / months))
    await pool.query('vacuum (analyze) access_counts')
    await pool.query('analyze access_log')
    say(
      `${await sizeOf(pool)} in ${months} months, made in ${((performance.now() - begin) / 1000).toFixed(0)} s`,
    )
    server = fork(new URL('server.ts', import.meta.url), {
      env: {
        ...process.env,
        SERVER: JSON.stringify({ connection: own.connection, isLogged: true }),
        DATA_DIR: dataDir,
      },
    })
    const [port] = (await once(server, 'message')) as [number]
    await use(pool, (call, what, input) => timeOf({ port, session, times }, call, what, input))
  } finally {
    server?.disconnect()
    if (server?.exitCode === null) await once(server, 'exit')
    await pool.end()
    await own.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A month that is over. Its table becomes a part of the log when it is full, which is when its indexes are made. */
async function fillMonth(pool: pg.Pool, back: number, rowsOfMonth: string, rows: number): Promise<void> {
  const found = await pool.query<{ month: string; name: string }>(
    `select month::text, access_log_partition(month) as name from (
       select (date_trunc('month', now() at time zone 'Asia/Seoul') - make_interval(months => $1))::date as month) as m`,
    [back],
  )
  const [{ month, name } = { month: '', name: '' }] = found.rows
  await pool.query(`create table ${name} (like access_log including defaults including constraints)`)
  await pool.query(`insert into ${name} ${rowsOfMonth}`, [month, rows])
  await pool.query(`alter table access_log attach partition ${name} for values in ('${month}')`)
  await pool.query(
    `insert into access_log_heads select month, position, at, hash from ${name} order by position desc limit 1`,
  )
  await pool.query(
    `insert into access_counts select (at at time zone 'Asia/Seoul')::date, act, call, result <> '', count(*) from ${name} group by 1, 2, 3, 4`,
  )
  await pool.query(`vacuum (analyze) ${name}`)
}

async function sizeOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Record<'n' | 'table' | 'indexes', string>>(
    `select sum(position)::text as n, pg_size_pretty(sum(pg_table_size(inhrelid))) as table,
       pg_size_pretty(sum(pg_indexes_size(inhrelid))) as indexes
     from pg_inherits join access_log_heads on access_log_partition(month) = inhrelid::regclass::text
     where inhparent = 'access_log'::regclass`,
  )
  return `${rows[0]?.n} rows of ${rows[0]?.table} and indexes of ${rows[0]?.indexes}`
}

async function timeOf(
  { port, session, times }: { port: number; session: string; times: number },
  call: Endpoint,
  what: string,
  input: object,
): Promise<void> {
  const taken = []
  for (let n = 0; n < times; n += 1) {
    const begin = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}${API_BASE}${call.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
      body: sealed(call, input),
    })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${what}: ${answer.status}`)
    taken.push(performance.now() - begin)
  }
  const [first = 0] = taken
  const median = taken.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0
  say(`${what}: ${median.toFixed(1)} ms (the first time ${first.toFixed(0)})`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
