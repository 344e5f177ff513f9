import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openStorage } from '../create-services.ts'
import { migrate } from '../db/migrate.ts'
import type { OpenDatabase } from '../db/open.ts'
import { openKeySecret, readKeySecret } from '../services/key-secret.ts'
import { registerServer } from '../services/server-registry.ts'
import { verifyLog } from '../services/access-log/verify.ts'
import { createEmptyDatabase } from '../../dev/test-kit/empty-database.ts'
import { attach, filesOf, loseFile, writeNotice } from '../../dev/test-kit/files.ts'
import { holderOf, partnerWith } from '../../dev/test-kit/keys.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { addPastRows, PAST_MONTH, signPast } from '../../dev/test-kit/past-month.ts'
import { issueKey } from '../../contract/keys.ts'
import { linkFile } from '../../contract/notices.ts'
import { backUp } from './backup.ts'
import { BACKUP_ROW_FILTERS } from './backup-row-filters.ts'
import { MANIFEST, type Manifest } from './manifest.ts'
import { move } from './move.ts'
import { refuseServers } from './open.ts'
import { openBackup, restore } from './restore.ts'
import { listTables } from './tables.ts'

const maru = useMaru()
const silent = () => {}

let root: string
let empty: OpenDatabase

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'maru-test-backup-'))
  empty = await createEmptyDatabase()
})

afterEach(async () => {
  await empty.close()
  rmSync(root, { recursive: true, force: true })
})

const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir })

function take(folder = join(root, 'backup')): Promise<Manifest> {
  const { database, services } = maru
  const keySecret = readKeySecret(configOf(maru.dataDir))
  const { dataDir } = maru
  return backUp({
    pool: database.pool,
    storage: services.storage,
    keySecret,
    dataDir,
    folder,
    recipients: [],
    say: silent,
  })
}

async function bringBack(
  database = empty,
  dataDir = join(root, 'restored'),
  say: (line: string) => void = silent,
) {
  const config = configOf(dataDir)
  const storage = await openStorage(config)
  const backup = await openBackup(join(root, 'backup'), '')
  await restore({ config, database, storage, backup, say })
  return { config, storage }
}

/** Every row of every table but these, as text. */
async function contentOf({ pool }: OpenDatabase, without: readonly string[] = []) {
  const client = await pool.connect()
  try {
    const tables = (await listTables(client)).filter(({ name }) => !without.includes(name))
    const content: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
      content[name] = rows.map(({ row }) => row)
    }
    return content
  } finally {
    client.release()
  }
}

const LEFT_OUT = Object.keys(BACKUP_ROW_FILTERS).filter((name) => name !== 'backup_runs')

describe('a backup (rules/running#backup)', () => {
  test('holds every row and file, and restores into an empty installation with its keys', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const partner = await partnerWith(maru)
    const holder = await holderOf(maru, partner)
    const issued = await maru.call(issueKey, { requestKey: 'device-1' }, { session: holder.session })
    expect(issued.status).toBe(200)
    const noticeId = await writeNotice(maru, admin)
    expect((await attach(maru, admin, noticeId, '회의록.txt', 'the minutes')).status).toBe(200)

    await maru.database.pool.query(
      `insert into mail_templates (kind, language, subject, text, changed_by) values ('approved', 'ko', '승인', '', $1)`,
      [admin.id],
    )

    await maru.services.accessLog.keepHeads()
    const taken = await take()
    expect(taken.missing).toEqual([])
    const { config, storage } = await bringBack()
    const log = { pool: empty.pool, dataDir: config.dataDir, seeds: maru.services.keySecret.logSeeds }
    for await (const { rows, problem } of verifyLog(log)) expect([rows > 0, problem]).toEqual([true, ''])

    expect(await contentOf(empty, LEFT_OUT)).toEqual(await contentOf(maru.database, LEFT_OUT))
    expect(openKeySecret(config).fingerprint).toEqual(maru.services.keySecret.fingerprint)
    const { rows } = await empty.pool.query<{ path: string; name: string; size: number }>(
      'select save_path as path, save_file_name as name, size_bytes::int as size from notice_files',
    )
    for (const { size, ...key } of rows) expect(await storage.sizeOf(key)).toBe(size)
    // It goes on: what is numbered next collides with nothing, foreign keys and triggers work, and the next start finds all.
    expect(await migrate(empty.db)).toEqual([])
    await expect(
      empty.pool.query(`insert into notices (author_id, bullet_code, title, memo)
      values (0, 'NOTYP001', 'x', '')`),
    ).rejects.toThrow(/foreign key/)
    await empty.pool.query(`delete from notice_files`)
    expect((await empty.pool.query('select from discarded_files')).rowCount).toBeGreaterThan(0)
  })

  test('holds no secret of a login, only tokens of programs and providers, and recovery codes', async () => {
    const { rows } = await maru.database.pool.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
       where table_schema = 'public' and column_name ~ '(token|state|code|binding)_hash$' order by 1`,
    )
    const held = rows.map(({ name }) => name).filter((name) => BACKUP_ROW_FILTERS[name] !== 'false')
    expect(held).toEqual(['program_tokens', 'recovery_codes', 'scim_tokens', 'service_tokens'])
  })

  test('signs the rows it holds of an ended month, but none added to an earlier month (rules/running#restore)', async () => {
    const seeds = maru.services.keySecret.logSeeds
    await addPastRows(maru.owner, 1)
    await signPast(maru.owner, maru.dataDir, seeds)
    // Written after the signed ends were copied.
    await addPastRows(maru.owner, 2)
    const [path, found] = [join(root, 'backup', MANIFEST), [] as string[]]
    await take()
    for (const takenAt of ['2025-05-05T00:00:05.000Z', '2025-06-05T00:00:00.000Z']) {
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as object
      writeFileSync(path, JSON.stringify({ ...manifest, takenAt }))
      const database = await createEmptyDatabase()
      const { config } = await bringBack(database, join(root, takenAt.slice(0, 7)))
      const log = verifyLog({ pool: database.pool, dataDir: config.dataDir, seeds })
      for await (const { month, problem } of log) if (month === PAST_MONTH) found.push(problem)
      await database.close()
    }
    expect(found).toEqual(['', 'it has rows that were added after its end'])
    await maru.owner.query(`delete from access_log where month = '${PAST_MONTH}'`)
    await maru.owner.query(`delete from access_log_heads where month = '${PAST_MONTH}'`)
    rmSync(join(maru.dataDir, 'access-log', 'heads', `${PAST_MONTH.slice(0, 7)}.json`))
  })

  test('leaves sessions, mails and pending uploads out of a backup', async () => {
    await maru.createUser()
    expect((await maru.database.pool.query('select from sessions')).rowCount).toBeGreaterThan(0)
    await take()
    await bringBack()
    for (const rows of ['sessions', 'mails', 'uploads where finished_at is null'])
      expect((await empty.pool.query(`select from ${rows}`)).rowCount).toBe(0)
  })

  test('prints the tokens that are in force when it is brought back, and no ended one (rules/running#restore)', async () => {
    const holder = await holderOf(maru, await partnerWith(maru))
    const token = async (name: string, columns = '', values = '') =>
      maru.database.pool.query(
        `insert into program_tokens (user_id, name, token_hash, expires_at${columns})
          values ($1, $2::text, sha256(convert_to($2::text, 'UTF8')), now() + interval '9 days'${values})`,
        [holder.id, name],
      )
    await token('in force')
    await token('ended', ', ended_at, end_reason', `, now(), 'revoked'`)
    const { id } = await maru.createService()
    await maru.database.pool.query(`update service_tokens set name = E'line\nbreak' where id = $1`, [id])
    await take()
    const said: string[] = []
    await bringBack(empty, join(root, 'restored'), (line) => said.push(line))
    const text = said.join('\n')
    expect(text).toContain(`  program "in force" of ${holder.userId}, made `)
    expect(text).toContain(String.raw`  service "line\nbreak", made `)
    expect(text).not.toContain('"ended"')
    expect(text).toContain('End those that you do not trust on /key/programs')
    const { rows } = await empty.pool.query('select name from program_tokens where ended_at is null')
    expect(rows).toContainEqual({ name: 'in force' })
  })

  test('leaves out every table that refers to a table that is left out', async () => {
    const { rows } = await maru.owner.query<{ key: string; from: string; to: string }>(
      `select conname as key, conrelid::regclass::text as from, confrelid::regclass::text as to
        from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
    )
    const broken = rows.filter(
      ({ from, to }) => to in BACKUP_ROW_FILTERS && BACKUP_ROW_FILTERS[from] !== 'false',
    )
    expect(broken).toEqual([])
  })

  test('is restored after a user requested a download link, without that link', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const noticeId = await writeNotice(maru, admin)
    await attach(maru, admin, noticeId, 'a.txt', 'text')
    const [file] = await filesOf(maru, admin, noticeId)
    const { storedPath = '', storedName = '' } = file ?? {}
    expect((await maru.call(linkFile, { storedPath, storedName }, admin)).status).toBe(200)
    await take()
    await bringBack()
    expect((await empty.pool.query('select from file_links')).rowCount).toBe(0)
    expect((await empty.pool.query('select from notice_files')).rowCount).toBeGreaterThan(0)
  })

  test('can be read by nobody but its owner', async () => {
    await take()
    const folder = join(root, 'backup')
    expect(statSync(folder).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'access-log')).mode & 0o077).toBe(0)
    for (const name of ['key-secret', MANIFEST, 'tables/users.copy.zst'])
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
  })

  test('has the file of every row, even if taken while users attach and delete files', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const done = new AbortController()
    const write = async () => {
      while (!done.signal.aborted) {
        const noticeId = await writeNotice(maru, admin)
        await attach(maru, admin, noticeId, 'a.txt', 'first')
        await maru.database.pool.query('delete from notice_files where notice_id = $1 and random() < 0.3', [
          noticeId,
        ])
      }
    }
    const writers = [write(), write()]
    const { files, missing } = await take()
    done.abort()
    await Promise.all(writers)
    expect(missing).toEqual([])
    const { storage } = await bringBack()
    const { rows } = await empty.pool.query<{ path: string; name: string }>(
      `select save_path as path, save_file_name as name from notice_files
        union select save_path, save_file_name from discarded_files`,
    )
    expect(files).toHaveLength(rows.length)
    for (const key of rows) expect(await storage.sizeOf(key)).not.toBeNull()
  })

  test('tells of a file that is gone already', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const noticeId = await writeNotice(maru, admin)
    await attach(maru, admin, noticeId, 'a.txt', 'gone')
    const lost = await loseFile(maru, noticeId)
    expect((await take()).missing).toEqual([lost])
    await maru.database.pool.query('delete from notice_files where notice_id = $1', [noticeId])
    await maru.database.pool.query('delete from discarded_files')
  })

  test('is written into no folder that holds something', async () => {
    writeFileSync(join(root, 'mine.txt'), 'mine')
    await expect(take(root)).rejects.toThrow(/is not empty/)
    expect(readFileSync(join(root, 'mine.txt'), 'utf8')).toBe('mine')
    expect(existsSync(join(root, MANIFEST))).toBe(false)
  })
})

describe('a restore (rules/running#restore)', () => {
  test('goes on after a failure, and leaves no half of the rows', async () => {
    await take()
    const path = join(root, 'backup', 'tables', 'users.copy.zst')
    const whole = readFileSync(path)
    writeFileSync(path, whole.subarray(0, whole.length - 10))
    await expect(bringBack()).rejects.toThrow()
    expect((await empty.pool.query('select from roles')).rowCount).toBe(0)
    writeFileSync(path, whole)
    await bringBack()
    expect(await contentOf(empty, LEFT_OUT)).toEqual(await contentOf(maru.database, LEFT_OUT))
  })

  test('refuses to restore into a database with users, and leaves it unchanged', async () => {
    await take()
    const before = await contentOf(maru.database)
    await expect(bringBack(maru.database)).rejects.toThrow(/already contains users/)
    expect(await contentOf(maru.database)).toEqual(before)
  })

  test('refuses the storage and the key secret of another installation', async () => {
    await take()
    const dataDir = join(root, 'other')
    await (await openStorage(configOf(dataDir))).owner('another')
    await expect(bringBack(empty, dataDir)).rejects.toThrow(/files of another installation/)
    const secretDir = join(root, 'secret')
    openKeySecret(configOf(secretDir))
    await expect(bringBack(empty, secretDir)).rejects.toThrow(/another secret than that of the backup/)
    expect((await empty.pool.query(`select from pg_class where relname = 'users'`)).rowCount).toBe(0)
  })

  test('brings former key secrets back, and is refused where one of them is missing (rules/keys#changed-secret)', async () => {
    const own = join(maru.dataDir, 'key-secret')
    const now = readFileSync(own, 'utf8')
    writeFileSync(own, `${now}${'b'.repeat(32)}\n`)
    try {
      await take()
    } finally {
      writeFileSync(own, now)
    }
    const poorer = join(root, 'poorer')
    mkdirSync(poorer)
    writeFileSync(join(poorer, 'key-secret'), now)
    await expect(bringBack(empty, poorer)).rejects.toThrow(/KEY_SECRET_OLD does not name/)
    const fresh = join(root, 'fresh')
    await bringBack(empty, fresh)
    expect(readFileSync(join(fresh, 'key-secret'), 'utf8')).toBe(`${now}${'b'.repeat(32)}\n`)
  })

  test('refuses half a backup, a damaged one, and one of a newer Maru', async () => {
    const manifest = await take()
    const path = join(root, 'backup', MANIFEST)
    writeFileSync(path, JSON.stringify({ ...manifest, migrations: [...manifest.migrations, '999-tomorrow'] }))
    await expect(bringBack()).rejects.toThrow(/newer version of Maru \(999-tomorrow\)/)
    writeFileSync(path, '{"format":')
    await expect(bringBack()).rejects.toThrow(/is damaged/)
    rmSync(path)
    await expect(bringBack()).rejects.toThrow(/contains no complete backup/)
    expect((await empty.pool.query(`select from pg_class where relname = 'users'`)).rowCount).toBe(0)
  })
})

describe('a move (rules/running#move)', () => {
  test('copies everything, sessions and mails too, and is refused where people are', async () => {
    await maru.createUser()
    const registration = await registerServer(maru.database.pool, maru.services)
    await expect(move(maru.database, empty, maru.services.storage)).rejects.toThrow(
      /Maru is running on this database \(.+, process \d+\)/,
    )
    // The connections of the pool remain, as in a pooler after the server has ended.
    await registration.leave()
    await expect(refuseServers(maru.database)).resolves.toBeUndefined()
    const between = await createEmptyDatabase()
    try {
      await take()
      const { storage } = await bringBack(between)
      const rows = await move(between, empty, storage)
      expect(rows).toBe(Object.values(await contentOf(between)).flat().length)
      expect(await contentOf(empty)).toEqual(await contentOf(between))
      await expect(move(between, empty, storage)).rejects.toThrow(/already contains users/)
    } finally {
      await between.close()
    }
  })
})
