import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openStorage } from '../create-services.ts'
import { findRunning } from '../db/embedded/find-running.ts'
import { AGE_HEADER, makeAgeKeys } from '../../dev/test-kit/age.ts'
import { startProgram } from '../../dev/test-kit/program.ts'
import { BACKUP_ROW_FILTERS } from './backup-row-filters.ts'
import { getPairingState } from '../services/storage/pairing.ts'
import { openForOperator } from './open.ts'
import { readMoment, restoreUntil } from './restore-to-time.ts'

/* Point in time of Maru's own database: real servers, a real journal (rules/running#point-in-time, design/backups#point-in-time-recovery). */

const root = mkdtempSync(join(tmpdir(), 'maru-test-until-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const backups = join(root, 'backups')
const silent = () => {}
const FILE = '0a1b2c3d-0000-4000-8000-0123456789ab'

test('reads a time as a user writes it, in Korea', () => {
  expect(readMoment('2026-11-22T09:30')).toEqual(new Date('2026-11-22T00:30:00Z'))
  expect(readMoment('2026-11-22 09:30:15+00:00')).toEqual(new Date('2026-11-22T09:30:15Z'))
  expect(() => readMoment('yesterday')).toThrow(/Write it as 2026-11-22T09:30/)
})

test.runIf(process.platform === 'linux')(
  'restores the embedded database to a time between two changes',
  async () => {
    const old = join(root, 'old')
    const maru = startProgram(root, { DATA_DIR: old, BACKUP_DIR: backups, BACKUP_TEST_DAYS: '0' })
    await maru.url
    const whole = () => readdirSync(backups).filter((name) => /^maru-.*\d$/.test(name))
    await expect.poll(whole).toHaveLength(1)

    const running = findRunning(old)
    const client = new pg.Client({ ...running })
    await client.connect()
    // A Date knows no less than a millisecond: one passes between the change and the moment.
    const now = async () =>
      (await client.query<{ now: Date }>('select clock_timestamp() as now from pg_sleep(0.002)')).rows[0]?.now
    await client.query(`update settings set company_name = '첫째'`)
    // Only a running server's database has these rows. The trusted time is three days in the past at the time of the
    // restore.
    await client.query(`insert into rate_limits (key, points, expire) values ('test', 1, 0)`)
    await client.query(`update heartbeat set trusted_at = now() - interval '3 days'`)
    expect(await forgottenIn(client)).toMatchObject({
      rate_limits: 1,
      servers: 1,
      heartbeat: 1,
      storage_mark: 1,
    })
    // The backup of an operator is the only place of this file.
    await client.query(`insert into discarded_files (id, notice_id, save_path, save_file_name, original_name, size_bytes, created_at)
      values (gen_random_uuid(), 1, '2026/11', '${FILE}', 'a.txt', 3, now())`)
    const ofOperator = join(backups, 'before-upgrade')
    mkdirSync(join(ofOperator, 'files/2026/11'), { recursive: true })
    writeFileSync(join(ofOperator, 'files/2026/11', FILE), 'abc')
    writeFileSync(join(ofOperator, 'maru-backup.json'), '{}')
    const first = await now()
    await client.query(`update settings set company_name = '둘째'`)
    const second = await now()
    await client.end()
    // An ordered stop leaves nothing of the journal behind.
    maru.process.kill('SIGTERM')
    expect(await maru.ended).toBe(0)

    const nameAt = async (until: Date | undefined, folder: string, name: string) => {
      const config = readConfig({ DATA_DIR: join(root, name) })
      const storage = await openStorage(config)
      const parts = { config, storage, folder, until: until ?? new Date(0), say: silent }
      expect((await restoreUntil(parts)).missing).toEqual([])
      await expect(restoreUntil(parts)).rejects.toThrow(/contains a database/)
      const database = await openForOperator(config, silent)
      try {
        for (const count of Object.values(await forgottenIn(database.pool))) expect(count).toBe(0)
        // Files of after that moment are not swept before somebody says that this database and this storage belong together.
        expect(await getPairingState(database.pool, await openStorage(readConfig({ DATA_DIR: old })))).toBe(
          'differs',
        )
        const found = await database.pool.query<{ name: string }>('select company_name as name from settings')
        return found.rows[0]?.name
      } finally {
        await database.close()
      }
    }
    expect(await nameAt(first, backups, 'first')).toBe('첫째')

    // Rows written after that come back as well, without waiting for the next scheduled backup: the start takes a
    // backup, on a WAL timeline of its own.
    const again = startProgram(root, {
      DATA_DIR: join(root, 'first'),
      BACKUP_DIR: backups,
      BACKUP_TEST_DAYS: '0',
    })
    await again.url
    await expect.poll(whole).toHaveLength(2)
    const later = new pg.Client({ ...findRunning(join(root, 'first')) })
    await later.connect()
    const { rows } = await later.query<{ now: Date }>(
      `update settings set company_name = '셋째' returning clock_timestamp() as now`,
    )
    await later.end()
    again.process.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    expect(await nameAt(new Date((rows[0]?.now.getTime() ?? 0) + 1000), backups, 'after')).toBe('셋째')
    const branches = readdirSync(join(root, 'after/postgres/pg_wal')).filter((name) =>
      name.endsWith('.history'),
    )
    expect(branches).toContain('00000003.history')

    // Whether or not anything was changed after it.
    expect(await nameAt(second, join(backups, whole()[0] ?? ''), 'second')).toBe('둘째')
    const secretOf = (name: string) => readFileSync(join(root, name, 'key-secret'), 'utf8')
    expect(secretOf('first')).toBe(secretOf('old'))
    await expect(nameAt(new Date(0), backups, 'third')).rejects.toThrow(
      /No backup in .* was complete at that time/,
    )
  },
)

test.runIf(process.platform === 'linux')(
  'restores an encrypted backup and its WAL with the private key only (rules/running#encrypted-backup)',
  async () => {
    const place = join(root, 'encrypted')
    mkdirSync(place)
    const dir = join(place, 'backups')
    const old = join(place, 'old')
    const { recipient, identityFile } = await makeAgeKeys(join(place, 'identity.txt'))
    const maru = startProgram(place, {
      DATA_DIR: old,
      BACKUP_DIR: dir,
      BACKUP_TEST_DAYS: '0',
      BACKUP_RECIPIENT: recipient,
    })
    await maru.url
    await expect.poll(() => readdirSync(dir).filter((name) => /^maru-.*\d$/.test(name))).toHaveLength(1)
    const client = new pg.Client({ ...findRunning(old) })
    await client.connect()
    await client.query(`update settings set company_name = '첫째'`)
    await client.end()
    maru.process.kill('SIGTERM')
    expect(await maru.ended).toBe(0)

    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const plain = files.filter(
      (entry) => !readFileSync(join(entry.parentPath, entry.name), 'latin1').startsWith(AGE_HEADER),
    )
    expect(plain.map(({ name }) => name).toSorted()).toEqual(['cluster.json', 'maru-backup.json'])
    const journal = files.filter(({ name }) => /^[0-9A-F]{24}\.zst\.age$/.test(name))
    expect(journal.length).toBeGreaterThan(0)

    const bringBack = async (key: string) => {
      const config = readConfig({ DATA_DIR: join(place, 'new'), BACKUP_IDENTITY_FILE: key })
      await restoreUntil({
        config,
        storage: await openStorage(config),
        folder: dir,
        until: new Date(),
        say: silent,
      })
      return config
    }
    const other = await makeAgeKeys(join(place, 'other.txt'))
    await expect(bringBack('')).rejects.toThrow(/is encrypted\. Set BACKUP_IDENTITY_FILE/)
    await expect(bringBack(other.identityFile)).rejects.toThrow(/is encrypted for keys that/)
    const [last] = journal
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .slice(-1)
    const whole = readFileSync(last!)
    writeFileSync(last!, whole.subarray(0, whole.length - 1))
    await expect(bringBack(identityFile)).rejects.toThrow(/\.zst\.age is damaged or truncated/)
    expect(existsSync(join(place, 'new/postgres'))).toBe(false)

    writeFileSync(last!, whole)
    const database = await openForOperator(await bringBack(identityFile), silent)
    try {
      const { rows } = await database.pool.query('select company_name as name from settings')
      expect(rows).toEqual([{ name: '첫째' }])
    } finally {
      await database.close()
    }
  },
)

/** Counts the rows per table that a restored database does not take over. */
async function forgottenIn(client: Pick<pg.ClientBase | pg.Pool, 'query'>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [table, kept] of Object.entries(BACKUP_ROW_FILTERS))
    if (table !== 'backup_runs')
      counts[table] = (await client.query(`select from ${table} where not (${kept})`)).rowCount ?? 0
  return counts
}
