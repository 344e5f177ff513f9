/**
 * Claim: 10,000 users are imported in one transaction: checked anew, written, a mail queued for each. So are as many updated by a
 * file: locked, checked anew, written, a record for each.
 *
 * Run: npm run bench -- import-users
 */
import { text } from 'node:stream/consumers'
import { checkImport, importUsers } from '../../contract/users/import.ts'
import { checkUpdates, updateByImport } from '../../contract/users/import-update.ts'
import { callAt, unsealed } from '../test-kit/seal.ts'
import { startMeasured } from './maru-child.ts'

const ROWS = 10_000

const maru = await startMeasured()
try {
  const { rows } = await maru.pool.query(`select code, affiliation_code from partners order by id limit 1`)
  const [partner] = rows as { code: string; affiliation_code: string }[]
  if (partner === undefined) throw new Error('the demo data has no partner')
  const input = Array.from({ length: ROWS }, (_, n) => ({
    userId: `bulk.${n}`,
    name: `김하늘${n}`,
    affiliationCode: partner.affiliation_code,
    position: '과장',
    phoneNumber: `010${String(n).padStart(8, '0')}`,
    email: `bulk.${n}@example.com`,
    roleCode: '일반 사용자',
    partnerCode: partner.code,
    validFrom: '2026-01-01',
    validTo: '2027-12-31',
  }))
  const managerPassword = 'Maru-demo-2026'
  await timed('dry run', checkImport.path, { rows: input })
  await timed('import', importUsers.path, { rows: input, managerPassword })
  const edited = input.map((row) => ({
    ...row,
    name: `${row.name}씨`,
    position: '부장',
    validTo: '2028-12-31',
  }))
  const { version } = await timed('dry run of an update', checkUpdates.path, { rows: edited })
  await timed('update', updateByImport.path, { rows: edited, version, managerPassword })
  const { rows: counted } = await maru.pool.query(
    `select (select count(*) from users where login_id like 'bulk.%' and position = '부장') as users, (select count(*) from mails) as mails,
      (select count(distinct xmin::text) from users where login_id like 'bulk.%') as transactions,
      (select count(*) from audit_log where action = 'user.update' and target like 'bulk.%') as records`,
  )
  process.stdout.write(`${JSON.stringify(counted[0])}\n`)
} finally {
  await maru.stop()
}

async function timed(what: string, path: string, body: unknown): Promise<{ version?: string }> {
  const before = maru.rss()
  const begun = performance.now()
  const answer = await maru.post(path, body)
  const said = await text(answer)
  if (answer.statusCode !== 200) throw new Error(said)
  const seconds = (performance.now() - begun) / 1000
  process.stdout.write(
    `${what} of ${ROWS} rows: ${seconds.toFixed(1)} s; resident memory ${before.toFixed(0)} → ${maru.rss().toFixed(0)} MB\n`,
  )
  return unsealed(callAt(path), said) as { version?: string }
}
