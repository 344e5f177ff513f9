/**
 * Upgrades the embedded database from an earlier major version of PostgreSQL at the start (rules/running#major-version,
 * design/postgresql#major-version-upgrade).
 */
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { messageOf } from '../caught-errors.ts'
import type { Config } from '../config.ts'
import { openStorage } from '../create-services.ts'
import { makeFolder, replaceFile, syncFolderNow } from '../durable-files.ts'
import { startEmbedded } from '../db/embedded.ts'
import { findBinaries, prepareBinaries } from '../db/embedded/binaries.ts'
import { checkCluster, claimCluster, majorOf } from '../db/embedded/cluster.ts'
import { findFormer, isKnownFormer, programsOf } from '../db/embedded/previous-binaries.ts'
import { chooseIdentity } from '../db/embedded/os-user.ts'
import { takeLock } from '../db/embedded/lock.ts'
import { endOrphan } from '../db/embedded/orphan.ts'
import { launch } from '../db/embedded/server.ts'
import { NO_TIME_LIMIT, openDatabase } from '../db/open.ts'
import { databaseIdentity, pairStorageWith } from '../services/storage/pairing.ts'
import { StartRefusal } from '../startup-error.ts'
import { copyDatabase } from './copy-database.ts'

/** Bytes that an empty new cluster and the programs of the previous version use. */
const ROOM_BYTES = 300 * 1024 ** 2
/** Bytes of a megabyte. */
const MB = 1024 ** 2

/**
 * Settings under which COPY into a table of the same transaction writes no WAL. The upgrade then needs as much space as the
 * database, not twice as much. The rows are on the disk after the commit.
 */
const WITHOUT_JOURNAL = { wal_level: 'minimal', max_wal_senders: '0' }

/** Note that is written when the new cluster is complete, and deleted when all steps are done. */
interface Done {
  major: string
  /** Identity of the database that the storage is paired with, before and after. */
  from: string
  to: string
}

/**
 * Returns the paths of an upgrade below DATA_DIR: the cluster (`dir`), the folder of the upgrade (`beside`), and in it the new
 * cluster (`fresh`) and its note (`done`).
 */
function placesIn(dataDir: string) {
  const beside = join(dataDir, 'postgres.upgrade')
  return {
    dir: join(dataDir, 'postgres'),
    beside,
    fresh: join(beside, 'postgres'),
    done: join(beside, 'done'),
  }
}

/**
 * Upgrades the embedded database from an earlier major version of PostgreSQL to the current one. Its rows are copied into a new
 * cluster, which takes its name when all are there. The old cluster is kept. If the process is killed, the next call starts again
 * or finishes the work.
 * @throws {StartRefusal} if the upgrade is impossible; the database is then unchanged
 */
export async function upgradeEmbedded(config: Config, say: (line: string) => void): Promise<void> {
  const dataDir = resolve(config.dataDir)
  const { dir, beside } = placesIn(dataDir)
  const current = findBinaries().major
  const isOld = () => {
    const major = majorOf(dir)
    return major !== undefined && Number(major) < Number(current) && isKnownFormer(major)
  }
  if (!isOld() && !existsSync(beside)) return
  const lock = await takeLock(dataDir)
  try {
    endSwap(dataDir)
    if (isOld()) await copyToNewCluster(dataDir, current, say)
    await tidyUp(config, dataDir, say)
  } finally {
    lock.release()
  }
}

/**
 * Copies an old cluster into a new one of the current version, and swaps their names. The old one is kept under a name with its
 * version.
 * @throws {StartRefusal} if the space does not suffice or the copy fails; the cluster is then unchanged
 */
async function copyToNewCluster(
  dataDir: string,
  current: string,
  say: (line: string) => void,
): Promise<void> {
  const { dir, beside, fresh, done } = placesIn(dataDir)
  const major = majorOf(dir) ?? ''
  // Refuses a cluster of another user, unless this process is root.
  checkCluster(dir, major)
  await forgetBeside(dataDir)
  const needed = sizeOf(dir) + ROOM_BYTES
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize < needed)
    throw new StartRefusal(
      `The database was written by PostgreSQL ${major} and must be copied for PostgreSQL ${current}: ${dataDir} needs ${Math.ceil(needed / MB)} MB free for that and has ${Math.floor((bavail * bsize) / MB)}. Make room and start again. Nothing was changed.`,
    )
  const former = await findFormer(dataDir, major, say)
  say(`Copying the database from PostgreSQL ${major} to PostgreSQL ${current} …`)
  const begun = performance.now()
  await makeFolder(beside)
  const identity = chooseIdentity(dir)
  claimCluster(dir, identity)
  await endOrphan(dir, say)
  const old = await launch({
    dir,
    home: prepareBinaries(former, identity).home,
    identity,
    logFile: join(dataDir, 'postgres.log'),
    settings: {},
    log: say,
  })
  let copied: { rows: number; homes: Pick<Done, 'from' | 'to'> }
  try {
    copied = await copyInto(beside, { host: old.host, port: old.port, user: 'maru', database: 'maru' })
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(
      `The database could not be copied from PostgreSQL ${major} to PostgreSQL ${current} (${messageOf(error)}). It is unchanged in ${dir}.`,
      { cause: error },
    )
  } finally {
    await old.stop()
  }
  await replaceFile(done, JSON.stringify({ major, ...copied.homes } satisfies Done))
  const kept = freeName(`${dir}.${major}`)
  renameSync(dir, kept)
  renameSync(fresh, dir)
  syncFolderNow(dataDir)
  say(
    `${copied.rows} rows were copied and counted in ${((performance.now() - begun) / 1000).toFixed(1)} s. The previous database is kept in ${kept}: delete it once everything works.`,
  )
}

/**
 * Copies a running database into a new one below a folder. Afterwards the new one is stopped and synced to the disk.
 * @returns the number of rows, and the identities of both databases
 */
async function copyInto(beside: string, old: pg.PoolConfig) {
  await using opened = new AsyncDisposableStack()
  const open = async (connection: pg.PoolConfig) =>
    opened.use(await openDatabase({ ...connection, ...NO_TIME_LIMIT }, () => {}))
  const from = await open(old)
  const own = await startEmbedded({ dataDir: beside, log: () => {}, settings: WITHOUT_JOURNAL })
  opened.defer(() => own.stop())
  const to = await open({ ...own.owner })
  const rows = await copyDatabase(from, to)
  return { rows, homes: { from: await databaseIdentity(from.pool), to: await databaseIdentity(to.pool) } }
}

/** Completes a swap that was interrupted between the two renames: the old cluster is moved away, and the new one is complete. */
function endSwap(dataDir: string): void {
  const { dir, fresh, done } = placesIn(dataDir)
  if (existsSync(dir) || !existsSync(fresh) || !existsSync(done)) return
  renameSync(fresh, dir)
  syncFolderNow(dataDir)
}

/**
 * Finishes an upgrade after the new cluster has its name: pairs the storage with it and deletes the files that are no longer
 * needed.
 */
async function tidyUp(config: Config, dataDir: string, say: (line: string) => void): Promise<void> {
  const { fresh, done } = placesIn(dataDir)
  if (existsSync(done) && !existsSync(fresh)) {
    const { major, from, to }: Done = JSON.parse(readFileSync(done, 'utf8'))
    try {
      await pairStorageWith(await openStorage(config), to, from)
    } catch (error) {
      say(
        `The storage of the files does not know yet that the database has moved (${messageOf(error)}): the next start tells it. Until then nothing is removed from it.`,
      )
      return
    }
    await rm(programsOf(dataDir, major), { recursive: true, force: true })
  }
  await forgetBeside(dataDir)
}

/** Deletes the folder of an upgrade. */
async function forgetBeside(dataDir: string): Promise<void> {
  const { beside, fresh } = placesIn(dataDir)
  if (!existsSync(beside)) return
  // A database of a start that was killed may still run.
  await endOrphan(fresh, () => {})
  await rm(beside, { recursive: true, force: true, maxRetries: 10 })
}

/** Returns the size of a cluster without its WAL, because the new cluster has its own. */
function sizeOf(dir: string): number {
  let bytes = 0
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || /[/\\](pg_wal|archive)([/\\]|$)/.test(entry.parentPath.slice(dir.length))) continue
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

/** Returns a path that does not exist: the wanted one, or with a number after it. */
function freeName(wanted: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`
    if (!existsSync(name)) return name
  }
}
