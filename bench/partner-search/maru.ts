/** The whole stack as production builds it, with as many partners as it is told, and one administrator who searches. */
import type pg from 'pg'
import { pino } from 'pino'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import type { InputOf } from '../../contract/endpoint.ts'
import { listPartners, PARTNERS_PER_PAGE } from '../../contract/partners.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { createEnvelope } from '../../server/http/envelope.ts'
import { createServices } from '../../server/create-services.ts'
import { startSession } from '../../server/http/sessions.ts'
import { populate } from '../../server/test-kit/people.ts'

/** What one filter cost on one page. */
export interface Measured {
  filter: string
  page: 'first' | 'middle' | 'last'
  rows: number
  ms: number
}

const ROUNDS = 11

const FILTERS: readonly (readonly [string, InputOf<typeof listPartners>])[] = [
  ['none', {}],
  ['affiliation', { BELONGTO_CODE: 'BEL004' }],
  ['code, all of them', { PARTNER_CODE: 'PT-' }],
  ['code, one letter', { PARTNER_CODE: '7' }],
  ['code, a few', { PARTNER_CODE: '-99' }],
  ['code, none', { PARTNER_CODE: 'NO-SUCH' }],
  ['valid on a day', { EXPIRY_DATETIME_START: '2026-06-01', EXPIRY_DATETIME_END: '2026-06-01 23:59:59' }],
  ['valid from a day on', { EXPIRY_DATETIME_START: '2027-12-01' }],
  [
    'affiliation, code, validity',
    { BELONGTO_CODE: 'BEL002', PARTNER_CODE: '5', EXPIRY_DATETIME_START: '2026-06-01' },
  ],
]

const config = readConfig({ ...process.env, LOG_LEVEL: 'error' })
const database = await openDatabase(JSON.parse(process.env['CONNECTION'] ?? '') as pg.PoolConfig, () => {})
await migrate(database.db)
const logger = pino({ level: 'error' })
const services = await createServices(
  { config, database, logger, say: () => {} },
  { mail: { wake: () => {}, isAway: () => false, stop: () => Promise.resolve() } },
)
const app = await createApp({ database, services, logger })
const { id } = await populate(database, 'x').createUser({ role: 'admin' })
const session = await database.db
  .transaction()
  .execute((tx) => startSession(tx, { userId: id, address: '127.0.0.1', userAgent: 'bench' }))
const envelope = createEnvelope(config.envelope)

async function call(input: InputOf<typeof listPartners>): Promise<{ total: number; ms: number }> {
  const begun = performance.now()
  const answer = await app.inject({
    method: 'POST',
    url: API_BASE + listPartners.path,
    headers: { 'Content-Type': 'application/json', [SESSION_HEADER]: session },
    payload: JSON.stringify({ DATA: envelope.seal(input) }),
  })
  const ms = performance.now() - begun
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const { TOTAL_COUNT } = envelope.open(Buffer.from(answer.body)) as { TOTAL_COUNT: number }
  return { total: TOTAL_COUNT, ms }
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

async function measure(): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const [filter, input] of FILTERS) {
    const { total } = await call(input)
    const last = Math.max(Math.ceil(total / PARTNERS_PER_PAGE), 1)
    for (const [page, PAGE] of [
      ['first', 1],
      ['middle', Math.ceil(last / 2)],
      ['last', last],
    ] as const) {
      const times: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) times.push((await call({ ...input, PAGE })).ms)
      measured.push({ filter, page, rows: total, ms: median(times) })
    }
  }
  return measured
}

/** Partners up to this number: eight affiliations in turn, validity spread over three years, some without an end. */
async function fill(size: number): Promise<void> {
  await database.pool.query(
    `insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y,
       limit_day, valid_from, valid_to, created_at)
     select 'PT-' || md5(i::text)::varchar(6) || '-' || i, 'pa', 'BEL00' || (i % 8 + 1), '11', '서울특별시', '종로구',
       126.9774, 37.5949, i % 100, date '2025-01-01' + (i * 7 % 1000)::int,
       case when i % 10 = 0 then null else date '2025-01-01' + (i * 7 % 1000)::int + (i * 13 % 700)::int end,
       timestamptz '2024-01-01' + i * interval '1 minute'
     from generate_series((select count(*) from partners) + 1, $1) i`,
    [size],
  )
  // What autovacuum does by itself within a minute.
  await database.pool.query('vacuum analyze partners')
}

process.on('message', (size: number) => {
  void fill(size)
    .then(measure)
    .then((measured) => process.send?.(measured))
})
