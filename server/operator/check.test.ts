import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { issueKey } from '../../contract/keys.ts'
import { readConfig } from '../config.ts'
import { openStorage } from '../create-services.ts'
import { attach, loseFile, writeNotice } from '../../dev/test-kit/files.ts'
import { holderOf, partnerWith } from '../../dev/test-kit/keys.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { check } from './check.ts'

const maru = useMaru()

/** Returns the failed checks by name. */
async function findings(env: Record<string, string> = {}): Promise<Record<string, string>> {
  const { database, services } = maru
  const config = readConfig({ DATA_DIR: maru.dataDir, ...env })
  const wrong: Record<string, string> = {}
  for await (const found of check({ config, database, storage: () => Promise.resolve(services.storage) }))
    if (!found.isGood) wrong[found.name] = found.line
  return wrong
}

describe('a check (rules/running#check)', () => {
  test('finds nothing wrong with a portal that works', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    await attach(maru, admin, await writeNotice(maru, admin), 'a.txt', 'there')
    expect(await findings()).toEqual({})
  })

  test('names a running server, and says if none runs', async () => {
    const { database, services } = maru
    const parts = {
      config: readConfig({ DATA_DIR: maru.dataDir }),
      database,
      storage: async () => services.storage,
    }
    const lineOfServer = async () => {
      for await (const { name, line } of check(parts)) if (name === 'server') return line
      return undefined
    }
    expect(await lineOfServer()).toBe('no Maru runs on this database')
    await database.pool.query(
      `insert into servers (id, name, storage, key_secret, envelope) values (gen_random_uuid(), 'host, process 7', gen_random_uuid(), '', '')`,
    )
    expect(await lineOfServer()).toBe('Maru runs (host, process 7)')
    await database.pool.query('delete from servers')
  })

  test('names the notices whose files are gone', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const noticeId = await writeNotice(maru, admin)
    await attach(maru, admin, noticeId, 'a.txt', 'gone')
    await loseFile(maru, noticeId)
    expect(await findings()).toEqual({ files: expect.stringContaining(`(notices ${noticeId})`) })
    await maru.database.pool.query('delete from notice_files where notice_id = $1', [noticeId])
  })

  test('reports a key secret that does not match the keys, and a silent mail server', async () => {
    const holder = await holderOf(maru, await partnerWith(maru))
    expect((await maru.call(issueKey, { requestKey: 'a' }, { session: holder.session })).status).toBe(200)
    expect(await findings({ KEY_SECRET: 'x'.repeat(40), SMTP_URL: 'smtp://127.0.0.1:1' })).toEqual({
      keys: expect.stringMatching(/^KEY_SECRET is not the one/),
      log: expect.stringContaining('signed with another key secret'),
      mail: expect.stringMatching(/^SMTP_URL: /),
    })
  })

  test('tells of a backup that is late, and of one whose test restore failed', async () => {
    const { pool } = maru.database
    const of = { BACKUP_DIR: '/backups' }
    expect(await findings(of)).toEqual({})
    await pool.query(
      `insert into backup_runs (due_at, ended_at, folder, tested_at, test_failure)
        values (now(), now(), '/backups/maru-1', now(), 'a row is missing')`,
    )
    expect(await findings(of)).toEqual({ backups: expect.stringContaining('(a row is missing)') })
    await pool.query(`update backup_runs set due_at = now() - interval '3 days'`)
    expect(await findings(of)).toEqual({ backups: expect.stringMatching(/^The backup is late; .*maru-1$/) })
    await pool.query('delete from backup_runs')
    expect(await findings()).toEqual({})
  })

  test('tries the scanner with the EICAR test file, and with one that has nothing in it', async () => {
    expect(await findings({ SCAN_COMMAND: 'grep -vq EICAR-STANDARD' })).toEqual({})
    expect(await findings({ SCAN_COMMAND: 'cat' })).toEqual({ scanner: expect.stringContaining('EICAR') })
    expect(await findings({ SCAN_COMMAND: 'false' })).toEqual({
      scanner: expect.stringContaining('harmless file'),
    })
    expect(await findings({ SCAN_COMMAND: 'grep --no-such-word' })).toEqual({
      scanner: expect.stringMatching(/^SCAN_COMMAND: the scanner left 2: /),
    })
  })

  test('does not recreate a missing folder of files, so that a disk can be mounted there', async () => {
    const config = readConfig({ DATA_DIR: join(maru.dataDir, 'unmounted') })
    await expect(openStorage(config, { make: false })).rejects.toThrow(/ is gone\. Mount its disk/)
    expect(existsSync(config.dataDir)).toBe(false)
  })

  test('reports an unusable storage along with all other findings', async () => {
    const config = readConfig({ DATA_DIR: join(maru.dataDir, 'nowhere') })
    const names: string[] = []
    for await (const { name, isGood } of check({
      config,
      database: maru.database,
      storage: () => Promise.reject(new Error('the bucket is away')),
    }))
      if (!isGood) names.push(name)
    expect(names).toEqual(expect.arrayContaining(['storage', 'files']))
    expect(names).not.toContain('database')
  })
})
