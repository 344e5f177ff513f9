import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { killIfThere } from '../../dev/test-kit/cluster/programs.ts'
import { mountSmallDisk, type SmallDisk } from '../../dev/test-kit/small-disk.ts'
import {
  cleanUp,
  copySource,
  databasesUnder,
  guardianOf,
  isRoot,
  makeFolder,
  ORDINARY,
  query,
  startHost,
  until,
} from './embedded/test-kit.ts'

// Real processes, real kills, real disks: what Maru's own PostgreSQL promises (rules/running#own-database).
afterEach(cleanUp)

const DURABLE = { settings: {} }

const countRows = 'SELECT count(*)::int AS n FROM t'

/** A data directory after its first start and a stop, which tests about later starts copy. */
let afterFirstStart: string

beforeAll(async () => {
  afterFirstStart = mkdtempSync('/tmp/maru-test-started-')
  const host = startHost(afterFirstStart)
  await host.running
  await host.stop()
})

afterAll(() => rmSync(afterFirstStart, { recursive: true, force: true }))

function makeStartedFolder(): string {
  const folder = makeFolder()
  // The files stay their owner's.
  spawnSync('cp', ['-a', join(afterFirstStart, 'postgres'), folder])
  return folder
}

/** Starts on a folder with one acknowledged row in it. */
async function startWithRow(folder = makeStartedFolder()) {
  const host = startHost(folder, DURABLE)
  const { owner } = await host.running
  await query(owner, 'CREATE TABLE t AS SELECT 1 AS a')
  return { ...host, folder, owner, socketDir: owner.host }
}

function postmasterOf(folder: string): number {
  return Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

async function expectRowAfterRestart(folder: string): Promise<void> {
  const again = startHost(folder, DURABLE)
  const { owner } = await again.running
  expect(await query(owner, countRows)).toEqual([{ n: 1 }])
  await again.stop()
  expect(databasesUnder(folder)).toEqual([])
}

describe('starting and stopping', () => {
  test('makes the cluster only once and leaves nothing behind', async () => {
    const folder = makeFolder()
    const first = startHost(folder, DURABLE)
    const { connection } = await first.running
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
    expect(
      await query(
        connection,
        `SELECT current_database() AS name, pg_encoding_to_char(encoding) AS encoding, datlocale AS locale,
         current_setting('TimeZone') AS zone, current_setting('fsync') AS fsync, lower('ÀB') AS lower
         FROM pg_database WHERE datname = current_database()`,
      ),
    ).toEqual([{ name: 'maru', encoding: 'UTF8', locale: 'C.UTF-8', zone: 'UTC', fsync: 'on', lower: 'àb' }])
    await first.stop()
    expect(existsSync(connection.host)).toBe(false)
    expect(databasesUnder(folder)).toEqual([])

    const made = statSync(join(folder, 'postgres', 'PG_VERSION')).ino
    const second = startHost(folder, DURABLE)
    await second.running
    expect(second.lines).toEqual([])
    expect(statSync(join(folder, 'postgres', 'PG_VERSION')).ino).toBe(made)
    await second.stop()
    expect(await second.ended).toBe(0)
  })

  test('works in a very long path with spaces and Korean letters', async () => {
    const folder = join(
      makeFolder(),
      ...Array.from({ length: 12 }, () => '마루 포털 데이터 폴더 아주 긴 이름'.repeat(2)),
    )
    expect(Buffer.byteLength(folder)).toBeGreaterThan(1_024)
    const host = startHost(folder)
    expect(await query((await host.running).connection, 'SELECT 1 AS a')).toEqual([{ a: 1 }])
    await expect(startHost(folder).running).rejects.toThrow(`Another Maru (process ${host.process.pid})`)
    await host.stop()
    const again = startHost(folder)
    await again.running
    await again.stop()
  })

  test('over TCP, as on Windows, asks for the password', async () => {
    const folder = makeFolder()
    const host = startHost(folder, { asOnWindows: true, ...(isRoot && { as: ORDINARY }) })
    const { connection, owner } = await host.running
    expect(connection.password).not.toBe(owner.password)
    for (const by of [connection, owner]) {
      expect(by.host).toBe('127.0.0.1')
      expect(await query(by, 'SELECT 1 AS a')).toEqual([{ a: 1 }])
      await expect(query({ ...by, password: 'wrong' }, 'SELECT 1')).rejects.toThrow('password')
    }
    await host.stop()
  })

  test('serves by a role without rights of its own, also where an earlier Maru made none (rules/running#database-role)', async () => {
    const folder = makeStartedFolder()
    const earlier = startHost(folder)
    await query((await earlier.running).owner, 'DROP ROLE maru_portal')
    await earlier.stop()
    const host = startHost(folder)
    const { connection } = await host.running
    const rights = 'rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls'
    expect(
      await query(
        connection,
        `SELECT rolname AS name, ${rights} AS may, has_schema_privilege('public', 'create') AS makes
          FROM pg_roles WHERE rolname = current_user`,
      ),
    ).toEqual([{ name: 'maru_portal', may: false, makes: false }])
    await host.stop()
  })

  test.skipIf(!isRoot)('works as an ordinary user', async () => {
    const folder = makeFolder()
    const host = startHost(join(folder, 'data'), { as: ORDINARY })
    expect(await query((await host.running).connection, 'SELECT 1 AS a')).toEqual([{ a: 1 }])
    await host.stop()
    expect(statSync(join(folder, 'data/postgres')).uid).toBe(ORDINARY.uid)
    // Root takes the ordinary user's part there, so that the files stay the user's.
    const root = startHost(join(folder, 'data'))
    await root.running
    await root.stop()
    expect(statSync(join(folder, 'data/postgres/PG_VERSION')).uid).toBe(ORDINARY.uid)
  })

  test.skipIf(!isRoot)('works as root in a checkout that only root may enter, twice at once', async () => {
    const folder = makeFolder()
    chmodSync(folder, 0o700)
    const umask = process.umask(0o077)
    const source = copySource(join(folder, 'checkout'))
    process.umask(umask)
    const hosts = ['one', 'two'].map((name) => startHost(join(folder, name), { source }))
    for (const host of hosts)
      expect(await query((await host.running).connection, 'SELECT 1 AS a')).toEqual([{ a: 1 }])
    for (const host of hosts) await host.stop()
    expect(statSync(join(folder, 'one')).mode & 0o777).toBe(0o700)
  })

  test('works in a data directory that root copied back, without its permissions', async () => {
    const folder = makeStartedFolder()
    spawnSync('chmod', ['-R', 'go+rX', join(folder, 'postgres')])
    if (isRoot) spawnSync('chown', ['-R', '0:0', join(folder, 'postgres')])
    const again = startHost(folder)
    await again.running
    await again.stop()
  })
})

describe('after a crash', () => {
  test('by kill -9 of Maru the database ends by itself and the next start works at once', async () => {
    const { folder, ...host } = await startWithRow()
    host.process.kill('SIGKILL')
    await host.ended
    await expectRowAfterRestart(folder)
    await until(() => !existsSync(host.socketDir))

    const third = startHost(folder, DURABLE)
    await third.running
    third.process.kill('SIGKILL')
    await until(() => databasesUnder(folder).length === 0)
  })

  test('by kill -9 of the database it is reported and the next start recovers', async () => {
    const { folder, ...host } = await startWithRow()
    process.kill(postmasterOf(folder), 'SIGKILL')
    expect(await host.died).toContain('ended unexpectedly (SIGKILL)')
    expect(await host.ended).toBe(3)
    await expectRowAfterRestart(folder)
  })

  test('by kill -9 of the database it comes back by itself, in the same place, where Maru asks for that', async () => {
    const folder = makeFolder()
    const host = startHost(folder, { restarts: true })
    const { owner } = await host.running
    const killed = postmasterOf(folder)
    process.kill(killed, 'SIGKILL')
    await until(() => host.lines.includes('The database is back.'))
    expect(postmasterOf(folder)).not.toBe(killed)
    // Of a thousand files each would be synced first, which a slow disk takes minutes for (design/postgresql#crash-recovery).
    const [first] = await query(owner, 'show recovery_init_sync_method')
    if (process.platform === 'linux') expect(first).toEqual({ recovery_init_sync_method: 'syncfs' })
    await host.stop()
    expect(databasesUnder(folder)).toEqual([])
  })

  test('by kill -9 of the guardian alone it is reported and nothing is left', async () => {
    const { folder, ...host } = await startWithRow()
    process.kill(guardianOf(host), 'SIGKILL')
    expect(await host.died).toContain('guardian')
    expect(await host.ended).toBe(3)
    expect(databasesUnder(folder)).toEqual([])
    expect(existsSync(host.socketDir)).toBe(false)
    await expectRowAfterRestart(folder)
  })

  test('by kill -9 of Maru and the guardian the next start ends the orphan', async () => {
    const { folder, ...host } = await startWithRow()
    process.kill(guardianOf(host), 'SIGKILL')
    host.process.kill('SIGKILL')
    await host.ended
    await expectRowAfterRestart(folder)
    expect(existsSync(host.socketDir)).toBe(false)
  })

  test('by kill -9 of the guardian, then of Maru while it ends the database, nothing is left in the temp directory', async () => {
    const { folder, ...host } = await startWithRow()
    host.process.kill('SIGSTOP')
    process.kill(guardianOf(host), 'SIGKILL')
    process.kill(postmasterOf(folder), 'SIGINT')
    await until(() => databasesUnder(folder).length === 0)
    host.process.kill('SIGKILL')
    await host.ended
    expect(existsSync(host.socketDir)).toBe(true)
    await expectRowAfterRestart(folder)
    expect(existsSync(host.socketDir)).toBe(false)
  })

  test('by kill -9 of everything at once the next start works even if its process id is used again', async () => {
    const { folder, ...host } = await startWithRow()
    // Nobody hears of the end of another: the database would end in order and take its process id away.
    host.process.kill('SIGSTOP')
    process.kill(guardianOf(host), 'SIGSTOP')
    for (const pid of [...databasesUnder(folder), guardianOf(host)]) killIfThere(pid)
    host.process.kill('SIGKILL')
    await host.ended
    const pidFile = join(folder, 'postgres/postmaster.pid')
    const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
    writeFileSync(pidFile, [process.pid, ...rest].join('\n'))
    await expectRowAfterRestart(folder)
  })

  test('by kill -9 during the first start the next one begins anew', async () => {
    const folder = makeFolder()
    const host = startHost(folder, DURABLE)
    await until(() => databasesUnder(folder).length > 0)
    host.process.kill('SIGKILL')
    await host.ended
    expect(existsSync(join(folder, 'postgres'))).toBe(false)
    const again = startHost(folder, DURABLE)
    await again.running
    await again.stop()
    expect(readdirSync(folder).toSorted()).toEqual(['postgres', 'postgres.lock', 'postgres.log'])
  })
})

describe('a start is refused with one line', () => {
  test('for two Marus on one directory, at the same moment or later', async () => {
    const folder = makeFolder()
    const both = [startHost(folder), startHost(folder)]
    const results = await Promise.allSettled(both.map((host) => host.running))
    const winner = both[results.findIndex((result) => result.status === 'fulfilled')]
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const later = startHost(folder)
    const line = `Another Maru (process ${winner?.process.pid}) is already running on the data directory ${folder}: stop it first, or set DATA_DIR to another directory.`
    for (const loser of [...both.filter((host) => host !== winner), later]) {
      await expect(loser.running).rejects.toThrow(line)
      expect(await loser.ended).toBe(1)
    }
    const { connection } = await winner!.running
    expect(await query(connection, 'SELECT 1 AS a')).toEqual([{ a: 1 }])
    await winner!.stop()
  })

  test('for data of another major version, which is left untouched', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'postgres'), { mode: 0o700 })
    writeFileSync(join(folder, 'postgres/PG_VERSION'), '15\n')
    await expect(startHost(folder).running).rejects.toThrow(
      /written by PostgreSQL 15, but this Maru runs PostgreSQL 18/,
    )
    expect(readdirSync(folder, { recursive: true })).toEqual(['postgres', 'postgres/PG_VERSION'])
  })

  test('for a directory that holds something else', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'postgres/diary.txt'), 'mine')
    await expect(startHost(folder).running).rejects.toThrow('holds no PostgreSQL data')
    writeFileSync(join(folder, 'file'), '')
    await expect(startHost(join(folder, 'file')).running).rejects.toThrow('not a directory')
  })

  test('for a data directory that cannot be written', async () => {
    const folder = makeFolder()
    chmodSync(folder, 0o555)
    const as = isRoot ? { as: ORDINARY } : {}
    await expect(startHost(folder, as).running).rejects.toThrow('cannot be written by this user')
    await expect(startHost(join(folder, 'data'), as).running).rejects.toThrow(
      'cannot be written by this user',
    )
    chmodSync(folder, 0o777)
  })

  test.skipIf(!isRoot)("for another user's data", async () => {
    const folder = makeStartedFolder()
    await expect(startHost(folder, { as: ORDINARY }).running).rejects.toThrow('belongs to another user')
  })

  test('when PostgreSQL is not installed', async () => {
    const folder = makeFolder()
    const source = copySource(folder, { binaries: false })
    await expect(startHost(join(folder, 'data'), { source }).running).rejects.toThrow(
      /is not installed: .*DATABASE_URL/,
    )
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test('with PostgreSQL’s own reason when it rejects a setting', async () => {
    const host = startHost(makeStartedFolder(), { settings: { fsync: 'off', shared_buffers: 'much' } })
    await expect(host.running).rejects.toThrow(/PostgreSQL did not start on .*shared_buffers/)
  })
})

describe('a full disk', () => {
  test('at the first start gives a clear line and leaves nothing half-made', async (context) => {
    await onDisk(24, context, async ({ folder }) => {
      await expect(startHost(folder, DURABLE).running).rejects.toThrow(/The disk that holds .* is full/)
      expect(existsSync(join(folder, 'postgres'))).toBe(false)
      expect(readdirSync(folder).filter((name) => name.startsWith('postgres.new'))).toEqual([])
    })
  })

  test('later gives a clear line at the start, and nothing is lost once space is free', async (context) => {
    await onDisk(160, context, async ({ folder, fill, free }) => {
      const { owner, ...host } = await startWithRow(folder)
      await fill()
      const flood =
        'CREATE TABLE flood AS SELECT repeat(md5(i::text), 20) AS a FROM generate_series(1, 200000) i'
      await expect(query(owner, flood)).rejects.toThrow()
      host.process.kill('SIGKILL')
      await host.ended
      await until(() => databasesUnder(folder).length === 0)
      await expect(startHost(folder, DURABLE).running).rejects.toThrow(/The disk that holds .* is full/)
      free()
      await expectRowAfterRestart(folder)
    })
  })
})

async function onDisk(mb: number, context: TestContext, run: (disk: SmallDisk) => Promise<void>) {
  const disk = mountSmallDisk(mb * 1024 ** 2)
  if (typeof disk === 'string') return context.skip(disk)
  try {
    await run(disk)
    await until(() => databasesUnder(disk.folder).length === 0)
  } finally {
    disk.drop()
  }
}
