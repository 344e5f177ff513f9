/** Times searches of the access log (design/access-log#search) and the inspection of a month. */
import type pg from 'pg'
import {
  getInspection,
  listAccess,
  listInspections,
  listOwnAccess,
  searchMonth,
} from '../../contract/audit.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { AppChildInput } from './harness/app-child.ts'
import { defineBench, say } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { startChild } from './harness/child.ts'
import { createFolder, open, startDatabase } from './harness/maru.ts'
import { median, printHead, printRow, measureTime } from './harness/numbers.ts'
import { fillCompany } from './lists/company.ts'

/** Users who work with personal data. The first does a tenth of all. */
const ACTORS = 300

/**
 * The rows of a month, if `fillMonth` gets no others: `$1` is its first day, `$2` their number. Six rows in ten concern
 * one user, the others are lists of five; some users are in very many rows.
 */
const ROWS_OF_MONTH = `select $1::date, n, ($1::date::timestamp at time zone 'Asia/Seoul') + n * interval '28 days' / $2::int,
    case when n % 10 < 6 then 'read' when n % 1000 = 7 then 'export' when n % 50 = 9 then 'login' else 'search' end,
    case when n % 10 < 6 then '/stm/v1/user' when n % 1000 = 7 then '/stm/v1/exp/users' when n % 50 = 9 then '/stm/v1/login'
      else '/stm/v1/users' end,
    case when n % 10 = 0 then 1 else 1 + (random() * ${ACTORS})::bigint end, 'kim', '10.0.' || n % 7 || '.' || n % 250, md5(n::text),
    case when n % 2000 = 3 then 'FORBIDDEN' else '' end, '',
    array(select (power(random(), 2) * 100000)::bigint + 1 from generate_series(1, case when n % 10 < 6 then 1 else 5 end) where n > 0),
    '{}', sha256(n::text::bytea) from generate_series(1, $2::int) as n`

/**
 * Fills `months` months of the access log, and prints the median and the first of `times` times of each search, of the
 * inspection of a month and of the list of months.
 */
export default defineBench({
  name: 'access-search',
  claim: 'In an access log of 10,000,000 rows a search takes 50 ms, and the inspection of a month 10 s',
  options: { rows: 10_000_000, months: 24, times: 15, users: 100_000 },
  async run({ rows, months, times, users }) {
    const own = await startDatabase()
    const { pool } = await open({ ...own.connection, statement_timeout: 0, query_timeout: 0 })
    const session = await fillCompany(own.url, 100, { users, notices: 10, partners: 10 })
    const [, ms] = await measureTime(async () => {
      for (let back = months; back > 0; back -= 1) await fillMonth(pool, back, Math.ceil(rows / months))
      await pool.query('vacuum (analyze) access_counts')
      await pool.query('analyze access_log')
    })
    say(`${rows} rows in ${months} months, written in ${(ms / 1000).toFixed(0)} s`)
    const serving: AppChildInput = { connection: own.connection, dataDir: createFolder(), isLogged: true }
    const { first: port } = await startChild<number>('harness/app-child.ts', serving)
    const caller = createCaller(port, 1)

    const measure = async (what: string, call: Endpoint, input: object, count = times) => {
      const taken: number[] = []
      for (let i = 0; i < count; i += 1)
        taken.push((await measureTime(() => caller.output(call, input, as(session))))[1])
      printRow(what, median(taken), taken[0] ?? Number.NaN)
    }
    const people = await pool.query<{ login_id: string }>(
      'select login_id from users where id in (1, 2, 150, 50000) order by id',
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
    printHead('search', 'ms', 'first time')
    for (const [what, input] of lists) await measure(what, listAccess, input)
    await measure('who has looked at my data', listOwnAccess, {})

    const heads = await pool.query<{ month: string }>(
      `select to_char(max(month), 'YYYY-MM') as month from access_log_heads where position > 1000`,
    )
    const month = heads.rows[0]?.month ?? ''
    await measure('a month is inspected by all rules', searchMonth, { month }, 3)
    await measure('its inspection is opened', getInspection, { month })
    await measure('all months', listInspections, {})
  },
})

/**
 * Fills a past month of the access log, with its chain head and counts. Its table joins the log when it is full, so
 * that indexes are built once. Fails if the month has a table already.
 * @param back how many months ago the month was
 * @param rows number of rows
 * @param contents query of the rows; `$1` is the first day of the month, `$2` their number
 */
export async function fillMonth(
  pool: pg.Pool,
  back: number,
  rows: number,
  contents = ROWS_OF_MONTH,
): Promise<void> {
  const found = await pool.query<{ month: string; name: string }>(
    `select month::text, access_log_partition(month) as name from (
       select (date_trunc('month', now() at time zone 'Asia/Seoul') - make_interval(months => $1))::date as month) as m`,
    [back],
  )
  const [{ month, name } = { month: '', name: '' }] = found.rows
  await pool.query(`create table ${name} (like access_log including defaults including constraints)`)
  await pool.query(`insert into ${name} ${contents}`, [month, rows])
  await pool.query(`alter table access_log attach partition ${name} for values in ('${month}')`)
  await pool.query(
    `insert into access_log_heads select month, position, at, hash from ${name} order by position desc limit 1`,
  )
  await pool.query(
    `insert into access_counts select (at at time zone 'Asia/Seoul')::date, act, call, result <> '', count(*) from ${name} group by 1, 2, 3, 4`,
  )
  await pool.query(`vacuum (analyze) ${name}`)
}
