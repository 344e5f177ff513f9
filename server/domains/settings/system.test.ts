import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { listUsers } from '../../../contract/users.ts'
import { getSystem, SYSTEM_PARTS, type SystemPart } from '../../../contract/settings.ts'
import { createAccessLog } from '../../services/access-log.ts'
import type { AccessEntry } from '../../services/access-log/chain.ts'
import { createScanner } from '../../services/scanner.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'
import { stateOfSystem } from './system.ts'

const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url, BACKUP_DIR: '/backups' })

afterEach(() => vi.restoreAllMocks())

type Part = OutputOf<typeof getSystem>['parts'][number]

async function parts(): Promise<Record<SystemPart, Part>> {
  const { session } = await maru.createUser({ role: 'admin' })
  const { status, data, raw } = await maru.call(getSystem, {}, { session })
  expect(status).toBe(200)
  expect(raw).not.toContain('secret')
  return Object.fromEntries(data.parts.map((part) => [part.part, part])) as Record<SystemPart, Part>
}
const factOf = ({ facts }: Part, name: string) => facts.find(({ fact }) => fact === name)?.value

test('says of every part how it is (rules/settings#system)', async () => {
  const found = await parts()
  expect(Object.keys(found)).toEqual([...SYSTEM_PARTS])
  expect(factOf(found.version, 'version')).toMatch(/^\d+\.\d+\.\d+$/)
  expect(factOf(found.database, 'databaseVersion')).toMatch(/^\d+/)
  expect(Number(factOf(found.database, 'databaseSize'))).toBeGreaterThan(1_000_000)
  expect(found.database).toMatchObject({ state: 'good', problems: [] })
  expect(factOf(found.mail, 'mailServer')).toBe(new URL(smtp.url).host)
  expect(found.jobs.facts).toContainEqual({ fact: 'jobRanAt', target: 'mail', value: expect.any(String) })
  expect(factOf(found.backups, 'backupFolder')).toBe('/backups')
  expect(factOf(found.backups, 'backupNextAt')).toMatch(/ 03:00:00$/)
  expect(Number(factOf(found.disk, 'totalBytes'))).toBeGreaterThan(0)
})

test('reports that an encrypted backup had no restore test without its private key (rules/running#encrypted-backup)', async () => {
  const at = new Date('2026-11-01T00:00:00Z')
  maru.services.backups.learn({
    last: null,
    failure: null,
    test: { at, failure: null },
    isLate: false,
    isWrong: false,
  })
  const { backups } = maru.services.config
  maru.services.config.backups = { ...backups, recipients: ['age1…'] }
  try {
    const { backups: part } = await parts()
    expect(factOf(part, 'backupCheckedAt')).toBe('2026-11-01 09:00:00')
    expect(factOf(part, 'backupTestedAt')).toBeUndefined()
    maru.services.config.backups.identityFile = '/identity.txt'
    expect(factOf((await parts()).backups, 'backupTestedAt')).toBe('2026-11-01 09:00:00')
  } finally {
    maru.services.config.backups = backups
  }
})

const JOB = {
  lastRunAt: Date.now(),
  failures: 0,
  lastFailedAt: 0,
  everySeconds: 5,
  isDaily: false,
  isPaused: false,
}

test('says what is wrong, and how bad that is', async () => {
  const past = new Date('2026-11-01T00:00:00Z')
  maru.services.backups.learn({
    last: { dueAt: past, endedAt: past, folder: '/backups/maru-2026-11-01-090000', bytes: 5000, missing: 1 },
    failure: 'no room',
    test: { at: past, failure: 'users has 3 rows' },
    isLate: true,
    isWrong: true,
  })
  // The certificate of the tests' mail server, behind STARTTLS, is valid for a day.
  await maru.services.certificates.look(AbortSignal.timeout(10_000))
  vi.spyOn(maru.services.mail, 'isAway').mockReturnValue(true)
  vi.spyOn(maru.services.storage, 'room').mockResolvedValue(1000)
  vi.spyOn(maru.services.jobs, 'report').mockReturnValue([
    { ...JOB, name: 'mail', lastRunAt: 0, failures: 1, lastFailedAt: Date.now() },
  ])
  await maru.database.pool.query(
    `insert into mails (recipient, subject, text, html, failed_at) values (null, '', '', '', now())`,
  )
  const found = await parts()
  expect(found.backups).toMatchObject({
    state: 'bad',
    problems: ['backupFailed', 'backupLate', 'backupTestFailed', 'backupIncomplete'],
  })
  expect(factOf(found.backups, 'backupAt')).toBe('2026-11-01 09:00:00')
  expect(found.certificates).toMatchObject({ state: 'attention', problems: ['certificateEnds'] })
  expect(factOf(found.certificates, 'certificateMail')).toMatch(/^\d{4}-\d\d-\d\d \d\d:/)
  expect(found.mail).toMatchObject({ state: 'bad', problems: ['mailAway', 'mailRefused'] })
  expect(found.storage).toMatchObject({ state: 'attention', problems: ['storageLow'] })
  expect(found.jobs).toMatchObject({ state: 'attention', problems: ['jobFails'] })
})

test('reports the clock and the jobs while the clock guard pauses them (rules/settings#system)', async () => {
  expect((await parts()).clock).toMatchObject({ state: 'good', problems: [] })
  await maru.owner.query(
    `update heartbeat set trusted_at = '2026-11-01T00:00:00Z', seen_at = now(), doubted_since = now()`,
  )
  vi.spyOn(maru.services.jobs, 'report').mockReturnValue([
    { ...JOB, name: 'erasures', lastRunAt: Date.now() - 86_400_000, isPaused: true },
  ])
  const { clock, jobs } = await parts()
  expect(clock).toMatchObject({ state: 'bad', problems: ['clockDoubted'] })
  expect(factOf(clock, 'clockTrustedAt')).toBe('2026-11-01 09:00:00')
  // A restart would not help a job that waits for the clock.
  expect(jobs).toMatchObject({ state: 'attention', problems: ['jobPaused'] })
  await maru.owner.query('update heartbeat set trusted_at = now(), seen_at = now(), doubted_since = null')
})

test('reports a database whose clock is a day away, which pauses jobs as well', async () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * 86_400_000 })
  try {
    const { parts: found } = await stateOfSystem({ db: maru.database.db, services: maru.services })
    expect(found.find(({ part }) => part === 'clock')).toMatchObject({
      state: 'bad',
      problems: ['clockDoubted', 'clockApart'],
    })
  } finally {
    vi.useRealTimers()
  }
})

test('does not take a daily job that ended this morning for one that hangs', async () => {
  vi.spyOn(maru.services.jobs, 'report').mockReturnValue([
    { ...JOB, name: 'token-ends', everySeconds: 60, isDaily: true, lastRunAt: Date.now() - 20 * 3_600_000 },
  ])
  // This process has run for a day.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * 3_600_000 })
  const { parts: found } = await stateOfSystem({ db: maru.database.db, services: maru.services }).finally(
    () => vi.useRealTimers(),
  )
  expect(found.find(({ part }) => part === 'jobs')).toMatchObject({ state: 'good', problems: [] })
})

test('reports an access log that cannot be signed or written, or was tampered with', async () => {
  const pool = maru.database.openUnlimited()
  const accessLog = createAccessLog({
    pool,
    dataDir: maru.dataDir,
    seeds: [maru.services.keySecret.logSeed],
    logger: maru.app.log,
  })
  const database = async () => {
    const services = { ...maru.services, accessLog }
    const state = await stateOfSystem({ db: maru.database.db, services })
    return state.parts.find(({ part }) => part === 'database')
  }
  // A call on personal data, so that there is a head to sign.
  const { session } = await maru.createUser({ role: 'admin' })
  expect((await maru.call(listUsers, {}, { session })).status).toBe(200)
  await accessLog.keepHeads()
  expect(await database()).toMatchObject({ state: 'good', problems: [] })

  const heads = join(maru.dataDir, 'access-log', 'heads')
  const [month = ''] = await readdir(heads)
  await writeFile(join(heads, month), '{')
  await accessLog.keepHeads()
  expect(await database()).toMatchObject({ state: 'bad', problems: ['accessLogTampered'] })

  await pool.end()
  await expect(accessLog.keepHeads()).rejects.toThrow()
  await expect(
    accessLog.write({
      at: new Date(),
      act: 'read',
      result: '',
      ids: [],
      names: [],
    } as unknown as AccessEntry),
  ).rejects.toThrow()
  expect(await database()).toMatchObject({
    state: 'bad',
    problems: ['accessLogStopped', 'accessLogUnsigned', 'accessLogTampered'],
  })
})

test('reports settings that the database lacks', async () => {
  const services = { ...maru.services, databaseAdvice: ['DATABASE_URL: …'] }
  const { parts: found } = await stateOfSystem({ db: maru.database.db, services })
  expect(found.find(({ part }) => part === 'database')).toMatchObject({
    state: 'attention',
    problems: ['databaseSettings'],
  })
})

test('reports a storage that is unavailable or does not fit, and a scanner that fails', async () => {
  await maru.owner.query(
    `insert into storage_mark (stopped) values ('mark') on conflict (only_one) do update set stopped = 'mark'`,
  )
  vi.spyOn(maru.services.storage, 'ready').mockRejectedValue(new Error('the disk is not mounted'))
  // It says nothing that can be relied on.
  const scanner = createScanner(
    { command: [process.execPath, '-e', 'process.exit(7)'], seconds: 20 },
    maru.app.log,
  )
  expect(scanner.isFailing()).toBe(false)
  await scanner.scan(() => Promise.resolve(Readable.from(['x'])))
  const { parts: found } = await stateOfSystem({
    db: maru.database.db,
    services: { ...maru.services, scanner },
  })
  expect(found.find(({ part }) => part === 'storage')).toMatchObject({
    state: 'bad',
    problems: ['storageAway', 'sweepStopped', 'scannerFails'],
  })
  await maru.owner.query('update storage_mark set stopped = null')
})

test('reports long-queued mail, a failed backup that is not late yet, and a full disk', async () => {
  const past = new Date()
  maru.services.backups.learn({
    last: { dueAt: past, endedAt: past, folder: '/backups/maru-2026-11-01-090000', bytes: 5000, missing: 0 },
    failure: 'no room',
    test: null,
    isLate: false,
    isWrong: false,
  })
  vi.spyOn(maru.services.diskSpace, 'isLow').mockResolvedValue(true)
  await maru.database.pool.query('delete from mails')
  await maru.database.pool.query(
    `insert into mails (recipient, subject, text, html, created_at) values (null, '', '', '', now() - interval '16 minutes')`,
  )
  const { backups, mail, disk } = await parts()
  expect(backups).toMatchObject({ state: 'attention', problems: ['backupFailed'] })
  expect(mail).toMatchObject({ state: 'attention', problems: ['mailsLate'] })
  expect(disk).toMatchObject({ state: 'bad', problems: ['diskFull'] })
})
