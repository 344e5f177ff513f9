/**
 * Claim: with 100,000 partners the list call takes at most three times what it takes with 10,000, whatever the filter,
 * on the first, the middle and the last page. Through the whole stack: session, envelope, database.
 *
 * Run: npm run bench -- partner-search
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { listPartners, PARTNERS_PER_PAGE } from '../contract/partners.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { openDatabase } from '../server/db/open.ts'
import { populate } from '../server/test-kit/people.ts'
import { comparePages, openTarget, type Target } from './two-sizes.ts'

const FEW = 10_000
const MANY = Number(process.env['PARTNERS'] ?? 100_000)
const TRIES = 25
const ALLOWED = 3

const FILTERS = {
  'no filter': {},
  affiliation: { affiliationCode: 'BEL004' },
  'code, all of them': { partnerCode: 'PT-' },
  'code, one letter': { partnerCode: '7' },
  'code, a few': { partnerCode: '-99' },
  'code, none': { partnerCode: 'NO-SUCH' },
  'valid on a day': { validFrom: '2026-06-01', validTo: '2026-06-01 23:59:59' },
  'valid from a day on': { validFrom: '2027-12-01' },
  'affiliation, code, validity': {
    affiliationCode: 'BEL002',
    partnerCode: '5',
    validFrom: '2026-06-01',
  },
}

const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const embedded = await startEmbedded({ dataDir, log: () => {} })
const targets: Target[] = []

try {
  const few = await open('few', FEW)
  const many = await open('many', MANY)
  process.stdout.write(
    `${MANY.toLocaleString('en')} partners against ${FEW.toLocaleString('en')}, median of ${TRIES} calls; allowed: ${ALLOWED} times\n`,
  )
  const list = { endpoint: listPartners, perPage: PARTNERS_PER_PAGE, filters: FILTERS }
  const worst = await comparePages([few, many], list, { tries: TRIES, allowed: ALLOWED })
  process.stdout.write(`the worst: ${worst.toFixed(2)} times (claimed: at most ${ALLOWED})\n`)
  if (worst > ALLOWED) process.exitCode = 1
} finally {
  for (const { close } of targets) await close()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Eight affiliations in turn, validity spread over three years, some without an end. */
async function open(name: string, partners: number): Promise<Target> {
  const admin = new pg.Client(embedded.connection)
  await admin.connect()
  await admin.query(`create database ${name} template template0`)
  await admin.end()
  const database = await openDatabase({ ...embedded.connection, database: name }, () => {})
  await migrate(database.db)
  await database.pool.query(
    `insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y,
       limit_day, valid_from, valid_to, created_at)
     select 'PT-' || upper(md5(i::text)::varchar(6)) || '-' || i, 'pa', 'BEL00' || (i % 8 + 1), '11', '서울특별시',
       '종로구', 126.9774, 37.5949, i % 100, date '2025-01-01' + (i * 7 % 1000)::int,
       case when i % 10 = 0 then null else date '2025-01-01' + (i * 7 % 1000)::int + (i * 13 % 700)::int end,
       timestamptz '2024-01-01' + i * interval '1 minute'
     from generate_series(1, $1::bigint) i`,
    [partners],
  )
  // What autovacuum does by itself within a minute.
  await database.pool.query('vacuum analyze partners')
  const { id } = await populate(database, 'x').createUser({ role: 'admin' })
  const target = await openTarget(database, id, dataDir)
  targets.push(target)
  return target
}
