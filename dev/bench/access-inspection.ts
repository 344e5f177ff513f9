/**
 * Claim: that a month of the access log is searched for what is unusual, by all rules, within 10 s at 10,000,000 rows.
 *
 * Run: npm run bench -- access-inspection (--rows=10000000 --months=4)
 */
import { parseArgs } from 'node:util'
import { getInspection, listInspections, searchMonth } from '../../contract/audit.ts'
import { onFilledLog } from './access-log/filled.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '10000000' }, months: { type: 'string', default: '4' } },
})
/** As many work with people's data, each at two addresses, and once in 5,000 times at any other. */
const ACTORS = 3000

/** Six rows in ten are of one person, the others lists of five. */
const ROWS_OF_MONTH = `select $1::date, n, ($1::date::timestamp at time zone 'Asia/Seoul') + n * interval '28 days' / $2::int,
    case when n % 10 < 6 then 'read' when n % 1000 = 7 then 'export' when n % 50 = 9 then 'login' else 'search' end, '/stm/v1/users',
    actor, 'kim', '10.' || case when n % 5000 = 1 then 99 else actor / 250 end || '.' || actor % 250 || '.' || n % 2, 'r',
    case when n % 2000 in (3, 9) then 'FORBIDDEN' else '' end, '',
    array(select (power(random(), 2) * 100000)::bigint + 1 from generate_series(1, case when n % 10 < 6 then 1 else 5 end) where n > 0),
    '{}', decode(md5(n::text), 'hex')
  from (select n, 1 + (n * 7919 % ${ACTORS})::bigint as actor from generate_series(1, $2::bigint) as n) as rows`

const months = Number(asked.months)
await onFilledLog(
  { months, rows: Number(asked.rows), rowsOfMonth: ROWS_OF_MONTH, times: 5 },
  async (pool, time) => {
    const { rows } = await pool.query<{ month: string }>(
      `select to_char(max(month), 'YYYY-MM') as month from access_log_heads where position > 1000`,
    )
    const month = rows[0]?.month ?? ''
    await time(searchMonth, 'a month is searched', { month })
    await time(getInspection, 'its inspection is opened', { month })
    await time(listInspections, 'all months', {})
  },
)
