/**
 * Claim: 10,000 users are imported in one transaction: checked anew, written, a mail queued for each.
 *
 * Run: npm run bench -- import-users
 */
import { checkImport, importUsers } from '../contract/users.ts'
import { drain, startMeasured } from './maru-child.ts'

const ROWS = 10_000

const maru = await startMeasured()
try {
  const { rows } = await maru.pool.query(`select code, affiliation_code from partners order by id limit 1`)
  const [partner] = rows as { code: string; affiliation_code: string }[]
  if (partner === undefined) throw new Error('the demo data has no partner')
  const input = Array.from({ length: ROWS }, (_, n) => ({
    USER_ID: `bulk.${n}`,
    NAME: `김하늘${n}`,
    BELONGTO_CODE: partner.affiliation_code,
    RANK: '과장',
    PHONE_NUMBER: `010${String(n).padStart(8, '0')}`,
    E_MAIL: `bulk.${n}@example.com`,
    AUTHORITYS_CODE: '일반 사용자',
    PARTNER_CODE: partner.code,
    EXPIRY_DATETIME_START: '2026-01-01',
    EXPIRY_DATETIME_END: '2027-12-31',
  }))
  await timed('dry run', checkImport.path, { ROWS: input })
  await timed('import', importUsers.path, { ROWS: input, MANAGER_PASSWORD: 'Maru-demo-2026' })
  const { rows: counted } = await maru.pool.query(
    `select (select count(*) from users where login_id like 'bulk.%') as users, (select count(*) from mails) as mails,
      (select count(distinct xmin::text) from users where login_id like 'bulk.%') as transactions`,
  )
  process.stdout.write(`${JSON.stringify(counted[0])}\n`)
} finally {
  await maru.stop()
}

async function timed(what: string, path: string, body: unknown): Promise<void> {
  const before = maru.rss()
  const begun = performance.now()
  await drain(await maru.post(path, body))
  const seconds = (performance.now() - begun) / 1000
  process.stdout.write(
    `${what} of ${ROWS} rows: ${seconds.toFixed(1)} s; resident memory ${before.toFixed(0)} → ${maru.rss().toFixed(0)} MB\n`,
  )
}
