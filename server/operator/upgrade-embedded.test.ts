import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { listNotices } from '../../contract/notices.ts'
import { readConfig } from '../config.ts'
import { openStorage } from '../create-services.ts'
import { DEMO_PASSWORD } from '../../dev/demo/accounts.ts'
import { type EmbeddedConnection, startEmbedded } from '../db/embedded.ts'
import { type Binaries, findBinaries, prepareBinaries } from '../db/embedded/binaries.ts'
import { createCluster } from '../db/embedded/cluster.ts'
import { findFormer, programsOf } from '../db/embedded/previous-binaries.ts'
import { chooseIdentity } from '../db/embedded/os-user.ts'
import { launch } from '../db/embedded/server.ts'
import { openDatabase } from '../db/open.ts'
import { adoptStorage, getPairingState } from '../services/storage/pairing.ts'
import { StartRefusal } from '../startup-error.ts'
import { mountSmallDisk } from '../../dev/test-kit/small-disk.ts'
import { portalAt } from '../../dev/test-kit/portal.ts'
import { type Program, startProgram } from '../../dev/test-kit/program.ts'
import { openBackup, restore } from './restore.ts'
import { listTables } from './tables.ts'
import { upgradeEmbedded } from './upgrade-embedded.ts'

/*
 * A start on the own database of an earlier major version (rules/running#major-version, design/postgresql#major-version-upgrade), with its real programs, which npm
 * fetches: skipped with a word where it cannot.
 */
const OLD = '17'
const NOW = findBinaries().major
const RELEASE = join(import.meta.dirname, 'releases', '0.1.0')
const TIMEOUT_MS = 300_000

const place = mkdtempSync(join(tmpdir(), 'maru-test-major-'))
const programs = mkdtempSync(join(tmpdir(), 'maru-test-programs-'))
/** A DATA_DIR that was written by the former version, to be copied; in words why there is none. */
let old: { dataDir: string; digest: string } | string
let program: Program | undefined
let count = 0

beforeAll(async () => {
  const former = await findFormer(programs, OLD, () => {}).catch((error: unknown) => {
    if (error instanceof StartRefusal) return error.message
    throw error
  })
  old = typeof former === 'string' ? former : await writeOld(join(place, 'old'), former)
}, TIMEOUT_MS)

afterEach(async () => {
  program?.process.kill('SIGKILL')
  await program?.ended
  program = undefined
})

afterAll(() => {
  for (const folder of [place, programs]) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir })

/** Returns the contents of every table as one text. */
async function digestOf(connection: EmbeddedConnection): Promise<string> {
  const database = await openDatabase({ ...connection, max: 1 }, () => {})
  const client = await database.pool.connect()
  try {
    const lines: string[] = []
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query<{ n: string; md5: string }>(
        `select count(*) as n, md5(string_agg(t::text, ';' order by t::text collate "C")) as md5 from "${name}" t`,
      )
      lines.push(`${name} ${rows[0]?.n} ${rows[0]?.md5}`)
    }
    const { rows } = await client.query<{ line: string }>(
      `select sequencename || ' ' || coalesce(last_value, 0) as line from pg_sequences order by 1`,
    )
    return [...lines, ...rows.map(({ line }) => line)].join('\n')
  } finally {
    client.release()
    await database.close()
  }
}

/** Release 0.1.0's data in a cluster of the former major version, with a storage that knows it. */
async function writeOld(dataDir: string, former: Binaries) {
  mkdirSync(dataDir, { mode: 0o700 })
  const dir = join(dataDir, 'postgres')
  const identity = chooseIdentity(dir)
  const { home } = prepareBinaries(former, identity)
  const logFile = join(dataDir, 'postgres.log')
  await createCluster({ dir, home, identity, logFile, passwordFile: undefined, durable: false })
  const server = await launch({ dir, home, identity, logFile, settings: { fsync: 'off' }, log: () => {} })
  const owner = { host: server.host, port: server.port, user: 'maru', database: 'maru' }
  try {
    const admin = await openDatabase({ ...owner, database: 'postgres', max: 1 }, () => {})
    await admin.pool.query('create database maru')
    await admin.pool.query('create role maru_portal login')
    await admin.close()
    const database = await openDatabase({ ...owner, max: 3 }, () => {})
    const storage = await openStorage(configOf(dataDir))
    await restore({
      config: configOf(dataDir),
      database,
      storage,
      backup: await openBackup(RELEASE, ''),
      say: () => {},
    })
    await adoptStorage(database.pool, storage)
    await database.close()
    return { dataDir, digest: await digestOf(owner) }
  } finally {
    await server.stop()
  }
}

/** A copy of it, with the programs there as npm leaves them. */
function freshCopy(skip: (note: string) => never): { dataDir: string; digest: string } {
  if (typeof old === 'string') return skip(old)
  count += 1
  const dataDir = join(place, `copy-${count}`)
  cpSync(old.dataDir, dataDir, { recursive: true, verbatimSymlinks: true })
  cpSync(programsOf(programs, OLD), programsOf(dataDir, OLD), { recursive: true, verbatimSymlinks: true })
  return { dataDir, digest: old.digest }
}

/** Returns the content of the database of the current version, and its pairing state with the storage. */
async function lookAt(dataDir: string) {
  const own = await startEmbedded({ dataDir, log: () => {} })
  try {
    const digest = await digestOf(own.owner)
    const database = await openDatabase({ ...own.owner, max: 1 }, () => {})
    const standing = await getPairingState(database.pool, await openStorage(configOf(dataDir)))
    await database.close()
    return { digest, standing }
  } finally {
    await own.stop()
  }
}

const versionIn = (folder: string) => readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()

test(
  'upgrades every row at a start, keeps the previous database, and users continue',
  async ({ skip }) => {
    const { dataDir, digest } = freshCopy(skip)
    const lines: string[] = []
    await upgradeEmbedded(configOf(dataDir), (line) => lines.push(line))
    expect(lines).toEqual([
      expect.stringContaining(`Copying the database from PostgreSQL ${OLD}`),
      expect.stringMatching(/^\d+ rows were copied and counted in .* is kept in .*postgres\.17: delete it/),
    ])
    await expect(lookAt(dataDir)).resolves.toEqual({ digest, standing: 'agrees' })
    expect(versionIn(join(dataDir, 'postgres'))).toBe(NOW)
    expect(versionIn(join(dataDir, `postgres.${OLD}`))).toBe(OLD)
    expect(existsSync(join(dataDir, 'postgres.upgrade'))).toBe(false)
    expect(existsSync(programsOf(dataDir, OLD))).toBe(false)

    // After the first start of this version the schema is current and users can work.
    program = startProgram(dataDir, { DATA_DIR: dataDir, LOG_LEVEL: 'fatal' })
    const port = Number(new URL(await program.url).port)
    const { sessionUid } = await portalAt(port, '').call(login, { loginId: 'admin', password: DEMO_PASSWORD })
    const { totalCount } = await portalAt(port, sessionUid).call(listNotices, { page: 1, perPage: 1 })
    expect(totalCount).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

test(
  'restarts an upgrade that was killed and loses nothing',
  async ({ skip }) => {
    const { dataDir, digest } = freshCopy(skip)
    program = startProgram(dataDir, { DATA_DIR: dataDir, LOG_LEVEL: 'fatal' })
    await expect
      .poll(() => existsSync(join(dataDir, 'postgres.upgrade', 'postgres')), { timeout: TIMEOUT_MS })
      .toBe(true)
    program.process.kill('SIGKILL')
    await program.ended
    expect(versionIn(join(dataDir, 'postgres'))).toBe(OLD)
    await upgradeEmbedded(configOf(dataDir), () => {})
    await expect(lookAt(dataDir)).resolves.toEqual({ digest, standing: 'agrees' })
  },
  TIMEOUT_MS,
)

test(
  'names the new database at the next start after a kill between the two renames',
  async ({ skip }) => {
    const { dataDir, digest } = freshCopy(skip)
    await upgradeEmbedded(configOf(dataDir), () => {})
    const mark = readFileSync(join(dataDir, 'files', '.mark'), 'utf8')
    const { home } = JSON.parse(mark) as { home: string }
    // As it was a moment before: the new cluster whole, neither named nor known to the storage.
    const beside = join(dataDir, 'postgres.upgrade')
    mkdirSync(beside)
    renameSync(join(dataDir, 'postgres'), join(beside, 'postgres'))
    writeFileSync(join(beside, 'done'), JSON.stringify({ major: OLD, from: 'before', to: home }))
    writeFileSync(join(dataDir, 'files', '.mark'), mark.replace(home, 'before'))
    await upgradeEmbedded(configOf(dataDir), () => {})
    await expect(lookAt(dataDir)).resolves.toEqual({ digest, standing: 'agrees' })
    expect(existsSync(beside)).toBe(false)
  },
  TIMEOUT_MS,
)

test(
  'copies what a previous Maru wrote after an unfinished upgrade',
  async ({ skip }) => {
    const { dataDir, digest } = freshCopy(skip)
    // Whole, and a start was killed before the names: then somebody went back for a day.
    mkdirSync(join(dataDir, 'postgres.upgrade', 'postgres'), { recursive: true })
    writeFileSync(
      join(dataDir, 'postgres.upgrade', 'done'),
      JSON.stringify({ major: OLD, from: 'a', to: 'b' }),
    )
    await upgradeEmbedded(configOf(dataDir), () => {})
    await expect(lookAt(dataDir)).resolves.toEqual({ digest, standing: 'agrees' })
  },
  TIMEOUT_MS,
)

test(
  'refuses to start first without space for a copy',
  async ({ skip }) => {
    const { dataDir } = freshCopy(skip)
    const disk = mountSmallDisk(200 * 1024 ** 2)
    if (typeof disk === 'string') return skip(disk)
    onTestFinished(disk.drop)
    const there = join(disk.folder, 'data')
    cpSync(dataDir, there, { recursive: true, verbatimSymlinks: true })
    await expect(upgradeEmbedded(configOf(there), () => {})).rejects.toThrow(
      /needs \d+ MB free for that and has \d+\. Make room and start again\. Nothing was changed/,
    )
    expect(readdirSync(there).filter((name) => name.startsWith('postgres.u'))).toEqual([])
    expect(versionIn(join(there, 'postgres'))).toBe(OLD)
  },
  TIMEOUT_MS,
)

test(
  'reports unavailable or altered binaries in one line, and changes nothing',
  async ({ skip }) => {
    const { dataDir } = freshCopy(skip)
    const list = join(programsOf(dataDir, OLD), 'node_modules', '.package-lock.json')
    writeFileSync(list, readFileSync(list, 'utf8').replaceAll('sha512-', 'sha512-x'))
    await expect(upgradeEmbedded(configOf(dataDir), () => {})).rejects.toThrow(
      'as npm installs it: delete it',
    )
    rmSync(programsOf(dataDir, OLD), { recursive: true })
    program = startProgram(dataDir, {
      DATA_DIR: dataDir,
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_cache: join(place, 'empty-cache'),
    })
    expect(await program.ended).toBe(1)
    expect(program.text()).toMatch(
      /could not be downloaded \(npm: .*\)\. On a machine with access to the registry, run: npm install/,
    )
    expect(program.text().trim().split('\n')).toHaveLength(2)
    expect(versionIn(join(dataDir, 'postgres'))).toBe(OLD)
    expect(existsSync(join(dataDir, 'postgres.upgrade'))).toBe(false)
  },
  TIMEOUT_MS,
)
