/** Times searches for the people of a leak (design/access-log#leak-incidents), and the cost of the index of tokens. */
import type pg from 'pg'
import { createIncident, getIncident, listLeakPeople, searchLeak } from '../../contract/audit.ts'
import type { Endpoint, InputOf } from '../../contract/endpoint.ts'
import { fillMonth } from './access-search.ts'
import type { AppChildInput } from './harness/app-child.ts'
import { defineBench, say } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { startChild } from './harness/child.ts'
import { createFolder, open, startDatabase } from './harness/maru.ts'
import { median, printHead, printRow, measureTime } from './harness/numbers.ts'
import { fillCompany } from './lists/company.ts'

/**
 * The rows of a month, for `fillMonth`: `$1` is its first day, `$2` their number. The first of 300 users does a tenth
 * of all, and half come from the address of the office. One in a thousand is a part of an export with 1,000 people, and
 * one in a thousand is by a token.
 */
const ROWS = `select $1::date, n, ($1::date::timestamp at time zone 'Asia/Seoul') + n * interval '28 days' / $2::int,
    case when n % 1000 = 7 then 'export' when n % 10 < 6 then 'read' else 'search' end,
    case when n % 1000 = 7 then '/stm/v1/exp/users' when n % 10 < 6 then '/stm/v1/user' else '/stm/v1/users' end,
    case when n % 10 = 0 then 1 else 1 + (random() * 300)::bigint end, 'kim',
    case when n % 2 = 0 then '198.51.100.1' else '10.0.' || n % 7 || '.' || n % 250 end, 'r' || n / 20000, '',
    case when n % 1000 = 5 then 'token:program/1' else '' end,
    array(select (power(random(), 2) * 100000)::bigint + 1
      from generate_series(1, case when n % 1000 = 7 then 1000 when n % 10 < 6 then 1 else 5 end) where n > 0),
    '{}', sha256(n::text::bytea) from generate_series(1, $2::int) as n`

/**
 * Fills `months` months of the access log, measures added rows (`measureAppends`), and prints the median and the first
 * of `times` times of each search, with its result, and of the incident and its people.
 */
export default defineBench({
  name: 'leaks',
  claim: 'In an access log of 10,000,000 rows the people of a leak are found within a minute',
  options: { rows: 10_000_000, months: 12, users: 100_000, times: 3 },
  async run({ rows, months, users, times }) {
    const own = await startDatabase()
    const { pool } = await open({ ...own.connection, statement_timeout: 0, query_timeout: 0 })
    const session = await fillCompany(own.url, 100, { users, notices: 10, partners: 10 })
    const [, ms] = await measureTime(async () => {
      for (let back = months; back > 0; back -= 1) await fillMonth(pool, back, Math.ceil(rows / months), ROWS)
      await pool.query('analyze access_log')
    })
    say(`${rows} rows in ${months} months, written in ${(ms / 1000).toFixed(0)} s`)
    await measureAppends(pool)

    const serving: AppChildInput = { connection: own.connection, dataDir: createFolder(), isLogged: true }
    const { first: port } = await startChild<number>('harness/app-child.ts', serving)
    const caller = createCaller(port, 1)
    await pool.query(
      `insert into program_tokens (id, user_id, name, token_hash, expires_at) overriding system value
        values (1, 1, 'leaked', '', now() + interval '1 day')`,
    )
    const { rows: found } = await pool.query<Record<'from' | 'to' | 'export' | 'heavy' | 'usual', string>>(
      `select to_char(now() at time zone 'Asia/Seoul' - interval '366 days', 'YYYY-MM-DD 00:00') as from,
        to_char(now() at time zone 'Asia/Seoul', 'YYYY-MM-DD 00:00') as to,
        (select to_char(min(month), 'YYYYMM') || '-7' from access_log_heads where position > 1000) as export,
        (select login_id from users where id = 1) as heavy, (select login_id from users where id = 150) as usual`,
    )
    const [{ from, to, export: exported, heavy, usual } = {} as (typeof found)[number]] = found
    const incident = { title: 'bench', knownAt: '2026-01-01 09:00' }
    const { incidentId } = await caller.output(createIncident, incident, as(session))
    const measure = async (what: string, call: Endpoint, input: object) => {
      const taken: number[] = []
      let output: unknown
      for (let i = 0; i < times; i += 1) {
        const [answer, spent] = await measureTime(() => caller.output(call, input, as(session)))
        output = answer
        taken.push(spent)
      }
      printRow(what, median(taken), taken[0] ?? Number.NaN)
      return output
    }
    const searches: [string, Pick<InputOf<typeof searchLeak>, 'leakOrigin' | 'originValue'>][] = [
      ['an account that does a tenth of all', { leakOrigin: 'ACCOUNT', originValue: heavy }],
      ['an ordinary account', { leakOrigin: 'ACCOUNT', originValue: usual }],
      ['the address of half of all', { leakOrigin: 'ADDRESS', originValue: '198.51.100.1' }],
      ['an ordinary address', { leakOrigin: 'ADDRESS', originValue: '10.0.3.3' }],
      ['a token', { leakOrigin: 'TOKEN', originValue: 'leaked' }],
      ['an export', { leakOrigin: 'EXPORT', originValue: exported }],
    ]
    printHead('search of a year', 'ms', 'first time')
    for (const [what, asked] of searches) {
      const input = { incidentId, ...asked, searchedFrom: from, searchedTo: to }
      say(JSON.stringify(await measure(what, searchLeak, input)))
    }
    await measure('the incident with all searches', getIncident, { incidentId })
    await measure('its people', listLeakPeople, { incidentId })
    await measure('its people, page 4,000', listLeakPeople, { incidentId, page: 4000 })
  },
})

/**
 * Measures and prints the time of 50,000 added rows with the index of tokens and without it, alternately. The index exists at
 * the end.
 */
async function measureAppends(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ definition: string }>(
    `select pg_get_indexdef('access_log_token'::regclass) as definition`,
  )
  const entry = JSON.stringify(['search', '/stm/v1/users', '2', 'kim', '10.0.0.1', 'r', '', 'name,roleCode'])
  const added = JSON.stringify(Array.from({ length: 200 }, () => [entry, [1, 2, 3, 4, 5], []]))
  const append = async () => {
    for (let n = 0; n < 250; n += 1) await pool.query('select access_log_append($1::jsonb)', [added])
  }
  await append()
  printHead('50,000 added rows', 'with index', 'without')
  for (let n = 0; n < 3; n += 1) {
    const [, withIndex] = await measureTime(append)
    await pool.query('drop index access_log_token')
    const [, without] = await measureTime(append)
    await pool.query((rows[0]?.definition ?? '').replace(' ON ONLY ', ' ON '))
    printRow('ms', withIndex, without)
  }
}
