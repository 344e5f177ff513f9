import { createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { type ClusterNote, copyOf, readClusterNote } from './cluster-copy.ts'
import { HISTORY_NAME, walFolderOf } from './wal.ts'
import type { Config } from '../config.ts'
import { startEmbedded } from '../db/embedded.ts'
import { archiveOf } from '../db/embedded/wal-archive.ts'
import { chooseIdentity, giveTree } from '../db/embedded/os-user.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from '../db/open.ts'
import { withConnection } from '../db/one-connection.ts'
import { putFile, type Storage, type StorageKey } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'
import { restoreLog, signRestored } from './access-log.ts'
import { listFiles } from './backup.ts'
import { fileOf, MANIFEST } from './manifest.ts'
import { type Decrypter, hasPart, plainName, readPart } from './encryption.ts'
import { serveRestoreCommand, RESTORE_COMMAND, SPOOL } from './restore-wal.ts'
import { BACKUP_ROW_FILTERS } from './backup-row-filters.ts'
import { keepSecret, openBackup, refuseSecret, refuseStorage } from './restore.ts'
import { listTables } from './tables.ts'
import { printTokens } from './print-tokens.ts'

/** Input of a point-in-time recovery. */
export interface RestoreUntilParts {
  config: Config
  storage: Storage
  /** BACKUP_DIR, or one of the backups in it. */
  folder: string
  /** Time whose state is recovered. */
  until: Date
  /** Prints a line of progress. */
  say: (line: string) => void
}

/** Result of a point-in-time recovery. */
export interface RestoredUntil {
  /** Time of the last change that is restored; null if there was none since the base backup. */
  lastChange: Date | null
  /** Files that a row names and that neither the storage nor a backup in the folder contains. */
  missing: readonly StorageKey[]
}

/** File in the cluster that makes PostgreSQL recover. It exists until the recovery is complete. */
const RECOVERY_SIGNAL = 'recovery.signal'
/** Table of the backups, whose rows stay after a point-in-time recovery. */
const BACKUP_RUNS = 'backup_runs'

/**
 * Parses a time such as 2026-11-22T09:30, in Asia/Seoul unless it states a time zone.
 * @throws {StartRefusal} if it is no time
 */
export function readMoment(text: string): Date {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}+09:00`
  const moment = new Date(zoned.replace(' ', 'T'))
  if (Number.isNaN(moment.getTime()) || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text))
    throw new StartRefusal(`--until ${text}: not a time. Write it as 2026-11-22T09:30, in Korean time.`)
  return moment
}

/**
 * Restores the embedded database as it was at a point in time: from the last base backup before it and the WAL after
 * this (design/backups#point-in-time-recovery). Files of notices come from the storage. Files that it lacks come from
 * all backups next to this one. Stores the key secret of the backup if none is set, restores the access log, and prints
 * the tokens to check. Deletes the unpacked database if it fails.
 * @throws {StartRefusal} if there is a database already, DATABASE_URL is set, the system is Windows, the folder does
 * not exist, the backup cannot be decrypted, the storage belongs to another installation, the key secret is another
 * one, or no backup was complete by then
 */
export async function restoreUntil(parts: RestoreUntilParts): Promise<RestoredUntil> {
  const { config, storage, folder, until, say } = parts
  if (config.databaseUrl !== '')
    throw new StartRefusal(
      '--until works for the embedded database only. With DATABASE_URL, restore with the tools of your PostgreSQL server.',
    )
  if (process.platform === 'win32') throw new StartRefusal('--until is not supported on Windows.')
  const backups = siblingsOf(folder)
  const { path, note } = newestBefore(backups, until, folder)
  const { decrypter, secret } = await openBackup(path, config.backups.identityFile)
  refuseSecret(config, secret)
  const dir = join(config.dataDir, 'postgres')
  refuseDatabase(dir)
  await unpackInto(dir, path, decrypter)
  say(`From the backup in ${path}.`)
  try {
    const journal = walFolderOf(dirname(path), note.systemId)
    const running = await recover({ dataDir: config.dataDir, dir, journal, decrypter, until, say })
    try {
      await using database = await openDatabase({ ...running.owner, ...NO_TIME_LIMIT }, () => {})
      const restored = await takeOver(database, storage, backups, decrypter)
      if (config.secrets.keySecret === '') keepSecret(config.dataDir, secret)
      await restoreLog(config.dataDir, path, decrypter)
      await signRestored(config, database.pool, new Date(note.endedAt))
      await keepBranches(config.dataDir)
      await printTokens(database.pool, say)
      return restored
    } finally {
      await running.stop()
      await rm(join(dir, SPOOL), { recursive: true, force: true })
    }
  } catch (error) {
    // This step can be repeated.
    rmSync(dir, { recursive: true, force: true })
    throw error
  }
}

/**
 * Returns every complete backup in BACKUP_DIR, with the description of its base backup. Backups by `npm run backup` have none.
 * @param folder BACKUP_DIR, or a backup in it
 * @throws {StartRefusal} if the folder does not exist
 */
function siblingsOf(folder: string): { path: string; note: ClusterNote | undefined }[] {
  const isOne = existsSync(join(folder, 'cluster.json'))
  const parent = isOne ? dirname(folder) : folder
  if (!existsSync(parent)) throw new StartRefusal(`The folder ${folder} does not exist.`)
  return readdirSync(parent)
    .filter((name) => !name.endsWith('.part'))
    .map((name) => join(parent, name))
    .filter((path) => existsSync(join(path, MANIFEST)))
    .map((path) => ({ path, note: readClusterNote(path) }))
}

/**
 * Returns the newest base backup that was complete at a time, with its description.
 * @param folder named in the error
 * @throws {StartRefusal} if there is none
 */
function newestBefore(backups: ReturnType<typeof siblingsOf>, until: Date, folder: string) {
  const whole = backups
    .flatMap(({ path, note }) => (note === undefined ? [] : [{ path, note }]))
    .toSorted((a, b) => a.note.endedAt.localeCompare(b.note.endedAt))
  const found = whole.findLast(({ note }) => new Date(note.endedAt) <= until)
  if (found !== undefined) return found
  throw new StartRefusal(
    whole.length === 0
      ? `${folder} contains no backup of the embedded database with its WAL. Backups by BACKUP_DIR have it, those by npm run backup do not.`
      : `No backup in ${folder} was complete at that time: the first one completed at ${whole[0]?.note.endedAt}.`,
  )
}

/**
 * Refuses a folder that holds a database. A recovery that this command left unfinished may start again.
 * @throws {StartRefusal} if there is a database
 */
function refuseDatabase(dir: string): void {
  const names = existsSync(dir) ? readdirSync(dir) : []
  if (names.length === 0 || names.includes(RECOVERY_SIGNAL)) return
  throw new StartRefusal(
    `${dir} contains a database. Stop Maru and move the directory elsewhere, then restore again. Nothing was changed.`,
  )
}

/**
 * Unpacks a base backup into the folder of the embedded database, prepared for a recovery. Replaces the folder only when all is
 * unpacked.
 */
async function unpackInto(dir: string, backup: string, decrypter: Decrypter): Promise<void> {
  await rm(dir, { recursive: true, force: true })
  const place = `${dir}.restored`
  await rm(place, { recursive: true, force: true })
  await mkdir(place, { recursive: true, mode: 0o700 })
  const from = copyOf(backup)
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const name = plainName(join(entry.parentPath, entry.name).slice(from.length + 1))
    if (entry.isDirectory()) {
      await mkdir(join(place, name), { recursive: true, mode: 0o700 })
    } else {
      const isPacked = name.endsWith('.zst')
      const file = createWriteStream(join(place, isPacked ? name.slice(0, -4) : name), { mode: 0o600 })
      const packed = readPart(join(from, name), decrypter)
      await (isPacked ? pipeline(packed, createZstdDecompress(), file) : pipeline(packed, file))
    }
  }
  for (const name of ['want', 'have', 'none'])
    await mkdir(join(place, SPOOL, name), { recursive: true, mode: 0o700 })
  await mkdir(join(place, 'pg_wal', 'archive_status'), { recursive: true, mode: 0o700 })
  await writeFile(join(place, RECOVERY_SIGNAL), '', { mode: 0o600 })
  const identity = chooseIdentity(place)
  if (identity) giveTree(place, identity)
  await rename(place, dir)
}

/** Input of `recover`: DATA_DIR, the folder of the unpacked cluster (`dir`), and that of the archived WAL (`journal`). */
interface Recovery extends Pick<RestoreUntilParts, 'until' | 'say'> {
  dataDir: string
  dir: string
  journal: string
  decrypter: Decrypter
}

/**
 * Starts PostgreSQL on the unpacked files, replays the WAL up to `until`, or all of it if it ends before, and returns the running
 * database.
 * @throws the error of a WAL segment that could not be read
 */
async function recover({ dataDir, dir, journal, decrypter, until, say }: Recovery) {
  const segments = serveRestoreCommand(journal, join(dir, SPOOL), {
    identity: chooseIdentity(dir),
    decrypter,
  })
  const settings = {
    restore_command: RESTORE_COMMAND,
    recovery_target_action: 'promote',
    // The timeline of the base backup: a later restore to an earlier time has not changed it.
    recovery_target_timeline: 'current',
  }
  try {
    const log = (line: string) => say(line)
    try {
      // Without a Z, because PostgreSQL reads this setting before it has loaded the names of time zones.
      const recoveryTargetTime = until.toISOString().replace('Z', '+00')
      return await startEmbedded({
        dataDir,
        log,
        settings: { ...settings, recovery_target_time: recoveryTargetTime },
      })
    } catch (error) {
      // The WAL ends before that time: nothing was changed since, or the time is in the future.
      if (!(error instanceof Error && error.message.includes('before configured recovery target')))
        throw error
      return await startEmbedded({ dataDir, log, settings })
    }
  } finally {
    await segments.stop()
  }
}

/** Copies the timeline history into the archive, so that the next restore takes a timeline that is not in use. */
async function keepBranches(dataDir: string): Promise<void> {
  const archive = archiveOf(dataDir)
  await mkdir(archive, { recursive: true, mode: 0o700 })
  const journal = join(dataDir, 'postgres', 'pg_wal')
  for (const name of await readdir(journal))
    if (HISTORY_NAME.test(name)) await copyFile(join(journal, name), join(archive, name))
}

/**
 * Deletes the rows that a restored database must not have, and copies the files that its rows name and the storage
 * lacks from the backups. The next start takes a backup immediately.
 * @throws {StartRefusal} if the storage belongs to another installation
 */
async function takeOver(
  { pool }: OpenDatabase,
  storage: Storage,
  backups: ReturnType<typeof siblingsOf>,
  decrypter: Decrypter,
): Promise<RestoredUntil> {
  const { rows } = await pool.query<{ id: string; last: Date | null }>(
    `select (select id from installation) as id, pg_last_xact_replay_timestamp() as last`,
  )
  const [{ id, last } = { id: '', last: null }] = rows
  await refuseStorage(storage, id)
  for (const [table, filter] of Object.entries(BACKUP_ROW_FILTERS))
    if (table !== BACKUP_RUNS) await pool.query(`delete from ${table} where not (${filter})`)
  // No backup covers what is written from here on, so that the next start must take one immediately.
  await pool.query(`update ${BACKUP_RUNS} set due_at = 'epoch'`)
  const keys = await withConnection(pool, async (client) => listFiles(client, await listTables(client)))
  const missing: StorageKey[] = []
  for (const key of keys) {
    if ((await storage.sizeOf(key)) !== null) continue
    const source = backups.map(({ path }) => join(path, fileOf(key))).find(hasPart)
    if (source === undefined) missing.push(key)
    else await putFile(storage, key, readPart(source, decrypter))
  }
  return { lastChange: last, missing }
}
