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
import { findRunning } from './embedded/find-running.ts'
import {
  cleanUp,
  copySource,
  databasesUnder,
  watchdogOf,
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

function makeStartedFolder(below = ''): string {
  const folder = join(makeFolder(), below)
  mkdirSync(folder, { recursive: true, mode: 0o777 })
  // The files stay their owner's.
  spawnSync('cp', ['-a', join(afterFirstStart, 'postgres'), folder])
  return folder
}

/** Starts on a folder with one acknowledged row in it. */
async function startWithRow(folder = makeStartedFolder()) {
  const host = startHost(folder, DURABLE)
  const { owner } = await host.running
  await query(owner, 'CREATE TABLE t AS SELECT 1 AS a')
  return { ...host, folder, owner, socket: join(owner.host, '.s.PGSQL.5432') }
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
    expect(existsSync(join(connection.host, '.s.PGSQL.5432'))).toBe(false)
    expect(databasesUnder(folder)).toEqual([])

    const made = statSync(join(folder, 'postgres', 'PG_VERSION')).ino
    const second = startHost(folder, DURABLE)
    await second.running
    expect(second.lines).toEqual([])
    expect(statSync(join(folder, 'postgres', 'PG_VERSION')).ino).toBe(made)
    await second.stop()
    expect(await second.ended).toBe(0)
  })

  test('listens in DATA_DIR, where a command finds it from any namespace', async () => {
    const { folder, owner, ...host } = await startWithRow()
    const found = findRunning(folder)
    expect([owner.host, found?.host]).toEqual(Array(2).fill(join(folder, 'postgres', 'socket')))
    expect(await query({ ...owner, ...found }, countRows)).toEqual([{ n: 1 }])
    await host.stop()
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

  test('asks for the password over TCP, as on Windows', async () => {
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
  test('ends the database after kill -9 of Maru, and the next start works immediately', async () => {
    const { folder, ...host } = await startWithRow()
    host.process.kill('SIGKILL')
    await host.ended
    await expectRowAfterRestart(folder)
    await until(() => !existsSync(host.socket))

    const third = startHost(folder, DURABLE)
    await third.running
    third.process.kill('SIGKILL')
    await until(() => databasesUnder(folder).length === 0)
  })

  test('reports kill -9 of the database, and recovers at the next start', async () => {
    const { folder, ...host } = await startWithRow()
    process.kill(postmasterOf(folder), 'SIGKILL')
    expect(await host.died).toContain('ended unexpectedly (SIGKILL)')
    expect(await host.ended).toBe(3)
    await expectRowAfterRestart(folder)
  })

  test('restarts the database in place after kill -9, where Maru asks for that', async () => {
    const folder = makeFolder()
    const host = startHost(folder, { restarts: true })
    const { owner } = await host.running
    const killed = postmasterOf(folder)
    process.kill(killed, 'SIGKILL')
    await until(() => host.lines.includes('The database is available again.'))
    expect(postmasterOf(folder)).not.toBe(killed)
    // By default PostgreSQL syncs each of about a thousand files first, which takes minutes on a slow disk
    // (design/postgresql#crash-recovery).
    const [first] = await query(owner, 'show recovery_init_sync_method')
    if (process.platform === 'linux') expect(first).toEqual({ recovery_init_sync_method: 'syncfs' })
    await host.stop()
    expect(databasesUnder(folder)).toEqual([])
  })

  test('reports kill -9 of the watchdog alone and leaves nothing behind', async () => {
    const { folder, ...host } = await startWithRow()
    process.kill(watchdogOf(host), 'SIGKILL')
    expect(await host.died).toContain('watchdog')
    expect(await host.ended).toBe(3)
    expect(databasesUnder(folder)).toEqual([])
    expect(existsSync(host.socket)).toBe(false)
    await expectRowAfterRestart(folder)
  })

  test('ends the orphaned database at the next start after kill -9 of both processes', async () => {
    const { folder, ...host } = await startWithRow()
    process.kill(watchdogOf(host), 'SIGKILL')
    host.process.kill('SIGKILL')
    await host.ended
    await expectRowAfterRestart(folder)
    expect(existsSync(host.socket)).toBe(false)
  })

  test('leaves no temporary files after kill -9 of the watchdog and then of Maru', async () => {
    const { folder, owner, ...host } = await startWithRow(makeStartedFolder('a long name'.repeat(10)))
    expect(owner.host.startsWith(folder)).toBe(false)
    host.process.kill('SIGSTOP')
    process.kill(watchdogOf(host), 'SIGKILL')
    process.kill(postmasterOf(folder), 'SIGINT')
    await until(() => databasesUnder(folder).length === 0)
    host.process.kill('SIGKILL')
    await host.ended
    expect(existsSync(owner.host)).toBe(true)
    await expectRowAfterRestart(folder)
    expect(existsSync(owner.host)).toBe(false)
  })

  test('starts after kill -9 of everything, even if its process ID is reused', async () => {
    const { folder, ...host } = await startWithRow()
    // Stop every process first, so that none notices the end of another. Otherwise the database would shut down cleanly
    // and remove its process ID file.
    host.process.kill('SIGSTOP')
    process.kill(watchdogOf(host), 'SIGSTOP')
    for (const pid of [...databasesUnder(folder), watchdogOf(host)]) killIfThere(pid)
    host.process.kill('SIGKILL')
    await host.ended
    const pidFile = join(folder, 'postgres/postmaster.pid')
    const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
    writeFileSync(pidFile, [process.pid, ...rest].join('\n'))
    writeFileSync(`${host.socket}.lock`, `${process.pid}\n`)
    await expectRowAfterRestart(folder)
  })

  test('starts from scratch after kill -9 during the first start', async () => {
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
  test('refuses a second Maru on one directory, at the same moment or later', async () => {
    const folder = makeFolder()
    const both = [startHost(folder), startHost(folder)]
    const results = await Promise.allSettled(both.map((host) => host.running))
    const winner = both[results.findIndex((result) => result.status === 'fulfilled')]
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const later = startHost(folder)
    const line = `Another Maru (process ${winner?.process.pid}) is already running on the data directory ${folder}. Stop it first, or set DATA_DIR to another directory.`
    for (const loser of [...both.filter((host) => host !== winner), later]) {
      await expect(loser.running).rejects.toThrow(line)
      expect(await loser.ended).toBe(1)
    }
    const { connection } = await winner!.running
    expect(await query(connection, 'SELECT 1 AS a')).toEqual([{ a: 1 }])
    await winner!.stop()
  })

  test('refuses data of another major version and leaves it untouched', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'postgres'), { mode: 0o700 })
    writeFileSync(join(folder, 'postgres/PG_VERSION'), '15\n')
    await expect(startHost(folder).running).rejects.toThrow(
      /written by PostgreSQL 15, but this Maru runs PostgreSQL 18/,
    )
    expect(readdirSync(folder, { recursive: true })).toEqual(['postgres', 'postgres/PG_VERSION'])
  })

  test('refuses a directory that holds something else', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'postgres/diary.txt'), 'mine')
    await expect(startHost(folder).running).rejects.toThrow('contains no PostgreSQL data')
    writeFileSync(join(folder, 'file'), '')
    await expect(startHost(join(folder, 'file')).running).rejects.toThrow('not a directory')
  })

  test('refuses a data directory that cannot be written', async () => {
    const folder = makeFolder()
    chmodSync(folder, 0o555)
    const as = isRoot ? { as: ORDINARY } : {}
    await expect(startHost(folder, as).running).rejects.toThrow('cannot be written by this user')
    await expect(startHost(join(folder, 'data'), as).running).rejects.toThrow(
      'cannot be written by this user',
    )
    chmodSync(folder, 0o777)
  })

  test.skipIf(!isRoot)('refuses data that belongs to another user', async () => {
    const folder = makeStartedFolder()
    await expect(startHost(folder, { as: ORDINARY }).running).rejects.toThrow('belongs to another user')
  })

  test('refuses to start when PostgreSQL is not installed', async () => {
    const folder = makeFolder()
    const source = copySource(folder, { binaries: false })
    await expect(startHost(join(folder, 'data'), { source }).running).rejects.toThrow(
      /is not installed\. .*DATABASE_URL/,
    )
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test('reports PostgreSQL’s own reason when it rejects a setting', async () => {
    const host = startHost(makeStartedFolder(), { settings: { fsync: 'off', shared_buffers: 'much' } })
    await expect(host.running).rejects.toThrow(/PostgreSQL did not start on .*shared_buffers/)
  })
})

describe('a full disk', () => {
  test('gives a clear line at the first start and leaves nothing half-made', async (context) => {
    await onDisk(24, context, async ({ folder }) => {
      await expect(startHost(folder, DURABLE).running).rejects.toThrow(/The disk that holds .* is full/)
      expect(existsSync(join(folder, 'postgres'))).toBe(false)
      expect(readdirSync(folder).filter((name) => name.startsWith('postgres.new'))).toEqual([])
    })
  })

  test('gives a clear line at a later start, and loses nothing once space is free', async (context) => {
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
