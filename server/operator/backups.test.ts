import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { partName, verifyParts } from './encryption.ts'
import { fileOf, readManifest } from './manifest.ts'
import { makeAgeKeys } from '../../dev/test-kit/age.ts'
import { attach, writeNotice } from '../../dev/test-kit/files.ts'
import { untilBlocked } from '../../dev/test-kit/locks.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { runBackups } from './run.ts'
import { putFile, type StorageKey } from '../services/storage.ts'
import { folderName, lastDue, nextDue } from '../services/backup-watch.ts'

const maru = useMaru()

let dir: string
const korean = (text: string) => new Date(`${text}+09:00`)

// Mails stay in their queue.
beforeAll(() => maru.services.jobs.stop())

beforeEach(async () => {
  dir = join(maru.dataDir, 'backups')
  rmSync(dir, { recursive: true, force: true })
  const at = ['03:00', '12:30']
  maru.services.config.backups = { dir, at, recipients: [], identityFile: '' }
  await keep(1, 0)
  await maru.database.pool.query(`delete from backup_runs`)
  await maru.database.pool.query(`delete from daily_runs`)
  await maru.database.pool.query(`delete from mails`)
})

/** Sets the number of backups to keep and the days between restore tests, as environment variables do. */
async function keep(backupKeep: number, backupTestDays: number): Promise<void> {
  maru.services.config.fixedSecurity = { backupKeep, backupTestDays }
  await maru.services.settings.fresh()
}
const run = (at: string, signal = new AbortController().signal, logger = createLog('silent')) =>
  runBackups({ database: maru.database, services: maru.services, logger }, signal, () => korean(at))
const folders = () => (existsSync(dir) ? readdirSync(dir).toSorted() : [])
const subjects = async () =>
  (await maru.database.pool.query<{ subject: string }>('select subject from mails')).rows
function firstFileOf(folder = ''): string {
  const [file = { path: '', name: '' }] = readManifest(join(dir, folder)).files
  return join(dir, folder, fileOf(file))
}
const metrics = async () => (await maru.app.inject('/metrics')).body

test('times of BACKUP_AT are those of Korea, of yesterday before the first of a day', () => {
  const at = ['12:30', '03:00']
  expect(lastDue(at, korean('2026-11-22T02:59:59'))).toEqual(korean('2026-11-21T12:30:00'))
  expect(lastDue(at, korean('2026-11-22T03:00:00'))).toEqual(korean('2026-11-22T03:00:00'))
  expect(nextDue(at, korean('2026-11-22T12:30:00'))).toEqual(korean('2026-11-23T03:00:00'))
  expect(folderName(korean('2026-11-22T00:05:09'))).toBe('maru-2026-11-22-000509')
})

describe('scheduled backups (rules/running#scheduled-backup)', () => {
  test('are taken once for each time, and the oldest goes when the newest is whole', async () => {
    await run('2026-11-22T03:00:30')
    await run('2026-11-22T12:29:00')
    expect(folders()).toEqual(['maru-2026-11-22-030030'])
    // If several servers start a backup concurrently, only one of them takes it.
    await Promise.all([run('2026-11-22T12:30:00'), run('2026-11-22T12:30:01')])
    expect(folders()).toEqual([expect.stringContaining('maru-2026-11-22-12300')])
    for (const name of folders()) expect(readManifest(join(dir, name)).missing).toEqual([])
    expect(maru.services.backups.report()).toMatchObject({ isLate: false, failure: null })
    expect(await metrics()).toMatch(/^maru_backup_last_timestamp_seconds 1\d{9}/m)
    expect(await metrics()).toMatch(/^maru_backup_wrong 0$/m)
  })

  test('retries a failed backup later and notifies administrators once a day', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    mkdirSync(maru.dataDir, { recursive: true })
    writeFileSync(dir, 'no folder')
    await expect(run('2026-11-22T03:00:00')).rejects.toThrow(/EEXIST|ENOTDIR/)
    await run('2026-11-22T03:01:00') // not at once
    expect(await metrics()).toMatch(/^maru_backup_wrong 1$/m)
    const { rows } = await maru.database.pool.query<{ recipient: string; text: string }>(
      `select recipient, text from mails where subject like '%백업을 확인해주세요'`,
    )
    const mine = rows.filter(({ recipient }) => recipient === admin.email)
    expect(mine).toHaveLength(1)
    expect(mine[0]?.text).toMatch(/완료된 백업이 없습니다[^]*백업이 실패한 이유: E/)
    rmSync(dir)
    await maru.database.pool.query(`update backup_runs set ended_at = now() - interval '16 minutes'`)
    await run('2026-11-22T03:16:00')
    expect(folders()).toEqual(['maru-2026-11-22-031600'])
    expect(await metrics()).toMatch(/^maru_backup_wrong 0$/m)
  })

  test('leave nothing half when the server stops or dies in the middle', async () => {
    const locker = await maru.owner.connect()
    await locker.query('begin; lock table codes in access exclusive mode')
    const stop = new AbortController()
    const running = run('2026-11-22T03:00:00', stop.signal)
    await untilBlocked(locker)
    stop.abort()
    await running
    expect(folders()).toEqual([])
    await locker.query('rollback')
    locker.release()
    // As `kill -9` leaves it.
    const part = join(dir, 'maru-2026-11-22-030000.part')
    mkdirSync(part, { recursive: true })
    await maru.database.pool.query('insert into backup_runs (due_at, folder) values (now(), $1)', [
      part.replace('.part', ''),
    ])
    await run('2026-11-22T03:02:00')
    expect(folders()).toEqual(['maru-2026-11-22-030200'])
    expect(await subjects()).toEqual([])
  })

  test('runs a restore test when due and reports a damaged backup', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    await attach(maru, admin, await writeNotice(maru, admin), 'a.txt', 'the minutes')
    await keep(1, 7)
    await run('2026-11-22T03:00:00')
    expect(maru.services.backups.report()?.test).toEqual({ at: expect.any(Date), failure: null })
    expect(existsSync(join(maru.dataDir, 'backup-test'))).toBe(false)
    // The next one is not due for it.
    await run('2026-11-22T12:30:00')
    const untried = `select from backup_runs where tested_at is null`
    expect((await maru.database.pool.query(untried)).rowCount).toBe(1)

    const newest = join(dir, 'maru-2026-11-22-123000')
    const [file = { path: '', name: '' }] = readManifest(newest).files
    truncateSync(join(newest, fileOf(file)), 3)
    await maru.database.pool.query(
      `update backup_runs set tested_at = '2026-11-01' where tested_at is not null`,
    )
    await run('2026-11-22T12:31:00')
    expect(maru.services.backups.report()?.test?.failure).toMatch(/has 3 bytes and should have 11/)
    expect(await metrics()).toMatch(/^maru_backup_wrong 1$/m)
    expect(await subjects()).toContainEqual({ subject: expect.stringContaining('백업을 확인해주세요') })
  })

  test('links the files of earlier backups, also one that the storage has lost', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    await attach(maru, admin, await writeNotice(maru, admin), 'a.txt', 'the minutes')
    const { recipient } = await makeAgeKeys(join(maru.dataDir, 'identity.txt'))
    for (const recipients of [[], [recipient]]) {
      rmSync(dir, { recursive: true, force: true })
      await maru.database.pool.query(`delete from backup_runs`)
      maru.services.config.backups.recipients = recipients
      await keep(2, 0)
      await run('2026-11-21T03:00:00')
      const [first = ''] = folders()
      const [file = { path: '', name: '' }] = readManifest(join(dir, first)).files
      const placeOf = (folder: string) => statSync(join(dir, folder, partName(fileOf(file), recipients))).ino
      const place = placeOf(first)
      await run('2026-11-21T12:30:00')
      await maru.services.storage.remove(file)
      await run('2026-11-22T03:00:00')
      expect(folders()).toEqual(['maru-2026-11-21-123000', 'maru-2026-11-22-030000'])
      for (const folder of folders()) {
        expect(placeOf(folder)).toBe(place)
        const { files, missing, encryption } = readManifest(join(dir, folder))
        expect(missing).toEqual([])
        expect(files).toContainEqual({ ...file, bytes: 11 })
        if (encryption) await verifyParts(join(dir, folder), encryption.parts)
      }
      await putFile(maru.services.storage, file, Readable.from([Buffer.from('the minutes')]))
    }
  })

  test('forget removed backups after 90 days, those with a passed restore test after 400', async () => {
    await maru.database.pool.query(
      `insert into backup_runs (due_at, folder, begun_at, ended_at, tested_at, test_failure, removed_at)
       select at, name, at, at, tested, failure, now() from (values
         ('untested', now() - interval '91 days', null::timestamptz, null),
         ('damaged', now() - interval '91 days', now() - interval '90 days', 'one row is missing'),
         ('recent', now() - interval '89 days', null, null),
         ('tested', now() - interval '399 days', now() - interval '398 days', null),
         ('long ago', now() - interval '401 days', now() - interval '400 days', null)
       ) as row (name, at, tested, failure)`,
    )
    await run('2026-11-21T03:00:00')
    const { rows } = await maru.database.pool.query(
      `select folder from backup_runs where removed_at is not null order by folder`,
    )
    expect(rows).toEqual([{ folder: 'recent' }, { folder: 'tested' }])
  })

  test('copies a file again that was damaged in the last backup', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    await attach(maru, admin, await writeNotice(maru, admin), 'a.txt', 'the minutes')
    await run('2026-11-21T03:00:00')
    truncateSync(firstFileOf(folders()[0]), 3)
    await run('2026-11-21T12:30:00')
    expect(readFileSync(firstFileOf(folders()[0]), 'utf8')).toBe('the minutes')
  })

  test('deletes no backup while the newest one lacks files, and notifies administrators', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    await attach(maru, admin, await writeNotice(maru, admin), 'a.txt', 'the minutes')
    const { rows } = await maru.database.pool.query<StorageKey>(
      'select save_path as path, save_file_name as name from notice_files',
    )
    for (const key of rows) await maru.services.storage.remove(key)
    await run('2026-11-21T03:00:00')
    await run('2026-11-21T12:30:00')
    expect(folders()).toHaveLength(2)
    expect(maru.services.backups.report()).toMatchObject({ isLate: false, isWrong: true })
    expect(await metrics()).toMatch(/^maru_backup_wrong 1$/m)
    expect(await subjects()).toContainEqual({ subject: expect.stringContaining('백업을 확인해주세요') })
    for (const key of rows) await putFile(maru.services.storage, key, Readable.from([Buffer.from('again')]))
    await run('2026-11-22T03:00:00')
    expect(folders()).toEqual(['maru-2026-11-22-030000'])
    expect(await metrics()).toMatch(/^maru_backup_wrong 0$/m)
  })

  test('are tested by checksums if encrypted, and restored with the private key (rules/running#encrypted-backup)', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    await attach(maru, admin, await writeNotice(maru, admin), 'a.txt', 'the minutes')
    const { recipient, identityFile } = await makeAgeKeys(join(maru.dataDir, 'identity.txt'))
    maru.services.config.backups.recipients = [recipient]
    await keep(9, 7)
    const lines: string[] = []
    const logger = createLog('info', { write: (line) => void lines.push(line) })
    const log = () => lines.splice(0).join('')
    const tested = () => maru.services.backups.report()?.test
    const forget = () => maru.database.pool.query(`update backup_runs set tested_at = null`)

    await run('2026-11-22T03:00:00', undefined, logger)
    expect(tested()).toEqual({ at: expect.any(Date), failure: null })
    expect(log()).toMatch(/checksums of an encrypted backup were verified; it was not restored/)

    maru.services.config.backups.identityFile = identityFile
    await forget()
    await run('2026-11-22T03:01:00', undefined, logger)
    expect(tested()).toEqual({ at: expect.any(Date), failure: null })
    expect(log()).toContain('the restore test of a backup succeeded')

    const folder = join(dir, 'maru-2026-11-22-030000')
    const other = await makeAgeKeys(join(maru.dataDir, 'other.txt'))
    maru.services.config.backups.identityFile = other.identityFile
    await forget()
    await run('2026-11-22T03:02:00', undefined, logger)
    expect(tested()?.failure).toMatch(/is encrypted for keys that/)

    // Without the key a damaged file is noticed as well.
    maru.services.config.backups.identityFile = ''
    const path = join(folder, 'tables/users.copy.zst.age')
    const bytes = readFileSync(path)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(path, bytes)
    await forget()
    await run('2026-11-22T03:03:00', undefined, logger)
    expect(tested()?.failure).toMatch(/users\.copy\.zst\.age is damaged/)
    expect(await metrics()).toMatch(/^maru_backup_wrong 1$/m)
  })
})
