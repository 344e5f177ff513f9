/**
 * Claim: that the access log is searched by a person, by whose data it was, by period, task, address and outcome within 50 ms at
 * 10,000,000 rows, each answer with its exact count.
 *
 * Run: npm run bench -- access-search (--rows=10000000 --months=24)
 */
import { parseArgs } from 'node:util'
import { listAccess, listOwnAccess } from '../../contract/audit.ts'
import { onFilledLog } from './access-log/filled.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '10000000' }, months: { type: 'string', default: '24' } },
})
/** As many work with people's data; one of them does a tenth of it. */
const ACTORS = 300

/** Six rows in ten are of one person, the others lists of five; some people are in very many of them. */
const ROWS_OF_MONTH = `select $1::date, n, ($1::date::timestamp at time zone 'Asia/Seoul') + n * interval '28 days' / $2::int,
    case when n % 10 < 6 then 'read' when n % 1000 = 7 then 'export' when n % 50 = 9 then 'login' else 'search' end,
    case when n % 10 < 6 then '/stm/v1/user' when n % 1000 = 7 then '/stm/v1/exp/users' when n % 50 = 9 then '/stm/v1/login'
      else '/stm/v1/users' end,
    case when n % 10 = 0 then 1 else 1 + (random() * ${ACTORS})::bigint end, 'kim', '10.0.' || n % 7 || '.' || n % 250, md5(n::text),
    case when n % 2000 = 3 then 'FORBIDDEN' else '' end, '',
    array(select (power(random(), 2) * 100000)::bigint + 1 from generate_series(1, case when n % 10 < 6 then 1 else 5 end) where n > 0),
    '{}', sha256(n::text::bytea) from generate_series(1, $2::int) as n`

const months = Number(asked.months)
await onFilledLog(
  { months, rows: Number(asked.rows), rowsOfMonth: ROWS_OF_MONTH, times: 15 },
  async (pool, time) => {
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
    for (const [what, input] of lists) await time(listAccess, what, input)
    await time(listOwnAccess, 'who has looked at my data', {})
  },
)
