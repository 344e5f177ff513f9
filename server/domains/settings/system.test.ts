import { afterEach, expect, test, vi } from 'vitest'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { getSystem, SYSTEM_PARTS, type SystemPart } from '../../../contract/settings.ts'
import { useMaru } from '../../test-kit/maru.ts'
import { startSmtp } from '../../test-kit/smtp.ts'

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

test('says what is wrong, and how bad that is', async () => {
  const past = new Date('2026-11-01T00:00:00Z')
  maru.services.backups.learn({
    last: { dueAt: past, endedAt: past, folder: '/backups/maru-2026-11-01-090000', bytes: 5000, missing: 1 },
    failure: 'no room',
    test: { at: past, failure: 'users has 3 rows' },
    isLate: true,
  })
  // That of the tests' mail server, behind STARTTLS, holds for a day.
  await maru.services.certificates.look(AbortSignal.timeout(10_000))
  vi.spyOn(maru.services.mail, 'isAway').mockReturnValue(true)
  vi.spyOn(maru.services.storage, 'room').mockResolvedValue(1000)
  vi.spyOn(maru.services.jobs, 'report').mockReturnValue([
    { name: 'mail', lastRunAt: 0, failures: 1, lastFailedAt: Date.now(), everySeconds: 5 },
  ])
  await maru.database.pool.query(
    `insert into mails (recipient, subject, text, html, failed_at) values (null, '', '', '', now())`,
  )
  const found = await parts()
  expect(found.backups).toMatchObject({
    state: 'bad',
    problems: ['backupLate', 'backupTestFailed', 'backupIncomplete'],
  })
  expect(factOf(found.backups, 'backupAt')).toBe('2026-11-01 09:00:00')
  expect(found.certificates).toMatchObject({ state: 'attention', problems: ['certificateEnds'] })
  expect(factOf(found.certificates, 'certificateMail')).toMatch(/^\d{4}-\d\d-\d\d \d\d:/)
  expect(found.mail).toMatchObject({ state: 'bad', problems: ['mailAway', 'mailRefused'] })
  expect(found.storage).toMatchObject({ state: 'attention', problems: ['storageLow'] })
  expect(found.jobs).toMatchObject({ state: 'attention', problems: ['jobFails'] })
})
