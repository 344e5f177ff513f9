import type { FastifyBaseLogger } from 'fastify'
import { readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../caught-errors.ts'
import { systemIdOf } from '../db/embedded/wal-archive.ts'
import { LOCK } from '../db/locks.ts'
import { withAdvisoryLock } from '../db/one-connection.ts'
import type { OpenDatabase } from '../db/open.ts'
import { makeFolder, syncFolder } from '../durable-files.ts'
import type { Services } from '../http/handler.ts'
import { backUp } from './backup.ts'
import { readKeySecret } from '../services/key-secret.ts'
import {
  beginRun,
  endRun,
  failRun,
  deleteUnfinishedRuns,
  forgetRun,
  isDue,
  type KeptRun,
  listKeptRuns,
  lastGoodTest,
  readState,
  recordRemoval,
  type BackupContents,
  recordTest,
} from './records.ts'
import { PARTS } from './manifest.ts'
import { copyCluster, readClusterNote } from './cluster-copy.ts'
import { testBackup } from './test-backup.ts'
import { folderName, lastDue, toBackupReport } from '../services/backup-watch.ts'
import { warnOfBackups } from './warn.ts'
import { walFolderOf, moveWal, pruneWal } from './wal.ts'

/** Input of the backup job. */
export interface BackupJobParts {
  database: Pick<OpenDatabase, 'db' | 'pool' | 'openUnlimited'>
  services: Services
  logger: FastifyBaseLogger
}

/** Suffix of an unfinished backup, and of one that is being removed. The process that holds the lock may delete both. */
const PART = '.part'
/** Bytes that stay free in addition to what the last backup wrote. */
const FREE_BYTES = 256 * 1024 ** 2

/**
 * Takes the backup that is due, runs a restore test if that is due, removes the oldest backups, and mails administrators about
 * problems, which it also logs (rules/running#scheduled-backup). Only one server does this at a time. Every server then updates
 * its own state of the backups.
 * @throws the reason why a backup could not be taken
 */
export async function runBackups(
  parts: BackupJobParts,
  signal: AbortSignal,
  now: () => Date = () => new Date(),
): Promise<void> {
  const { database, services, logger } = parts
  const { db, pool } = database
  const { at } = services.config.backups
  let failure: unknown
  await withAdvisoryLock(pool, LOCK.backup, async () => {
    for (const folder of await deleteUnfinishedRuns(db)) await removeUnfinished(parts, `${folder}${PART}`)
    const due = lastDue(at, now())
    try {
      if (await isDue(db, due)) await takeBackup(parts, due, signal, now())
    } catch (error) {
      failure = error
    }
    if (!signal.aborted) await testNewest(parts, signal, now())
    if (signal.aborted) return
    const report = toBackupReport(await readState(pool), at, now())
    if (await warnOfBackups(db, services.settings, report)) {
      logger.error(
        { last: report.last?.endedAt, failure: report.failure, testFailure: report.test?.failure },
        'backups are late or incomplete; administrators are notified by email',
      )
      services.mail.wake()
    }
  })
  if (signal.aborted) return
  services.backups.learn(toBackupReport(await readState(pool), at, now()))
  if (failure !== undefined) throw failure
}

/**
 * Takes a backup, stores its row, logs it, and removes those that exceed `backupKeep`. Removes nothing if files are missing in
 * the new one. After a failure deletes the unfinished backup; an aborted one leaves no row.
 * @param due time for which it is taken
 * @throws the reason why it failed, which its row has, too
 */
async function takeBackup(parts: BackupJobParts, due: Date, signal: AbortSignal, now: Date): Promise<void> {
  const { database, services, logger } = parts
  const { db } = database
  const { dir } = services.config.backups
  const { backupKeep } = services.settings.now()
  const folder = join(dir, folderName(now))
  const part = `${folder}${PART}`
  const id = await beginRun(db, due, folder)
  const begun = performance.now()
  try {
    await makeFolder(dir)
    const earlier = (await listOwnRuns(parts)).map((run) => run.folder)
    await refuseFull(dir, earlier[0])
    const taken = await writeInto(part, parts, earlier, signal)
    await rename(part, folder)
    await syncFolder(dir)
    await endRun(db, id, taken)
    logger.info({ folder, ...taken, seconds: Math.round((performance.now() - begun) / 1000) }, 'backed up')
    // Only after the newest is complete. While it lacks files, the operator may find them in an older one.
    if (taken.missing > 0)
      logger.error({ missing: taken.missing }, 'the backup lacks files, so no older backup is deleted')
    else
      for (const old of (await listOwnRuns(parts)).slice(backupKeep)) {
        await removeWhole(old)
        await recordRemoval(db, old.id)
      }
    await forgetJournal(await listKeptRuns(db), dir)
  } catch (error) {
    await removeUnfinished(parts, part)
    // A server that stops has not failed. The next server that checks takes the backup.
    if (signal.aborted) await forgetRun(db, id)
    else await failRun(db, id, messageOf(error))
    throw error
  }
}

/** Returns the complete backups in this server's BACKUP_DIR, the newest first. */
async function listOwnRuns({ database: { db }, services }: BackupJobParts): Promise<KeptRun[]> {
  return (await listKeptRuns(db)).filter(({ folder }) => dirname(folder) === services.config.backups.dir)
}

/**
 * Writes a backup into a folder, with a base backup of the embedded database and the WAL that this needs.
 * @param earlier folders of earlier backups, the newest first
 * @returns its contents, for its row
 */
async function writeInto(
  folder: string,
  { database, services }: Omit<BackupJobParts, 'logger'>,
  earlier: readonly string[],
  signal: AbortSignal,
): Promise<BackupContents> {
  const pool = database.openUnlimited()
  try {
    const keySecret = readKeySecret(services.config)
    const { storage } = services
    const { recipients } = services.config.backups
    const { tables, files, missing } = await backUp({
      pool,
      storage,
      keySecret,
      dataDir: services.config.dataDir,
      folder,
      recipients,
      say: () => {},
      earlier,
      signal,
    })
    const copy = await copyCluster(services.config.dataDir, folder, { recipients, signal })
    // It is complete only with the WAL that it needs.
    if (copy !== undefined)
      while ((await moveArchivedWal({ database, services })) === undefined)
        await sleep(100, undefined, { signal })
    return {
      rows: tables.reduce((all, { rows }) => all + rows, 0),
      files: files.length,
      missing: missing.length,
      bytes: await sizeOf(folder),
    }
  } finally {
    await pool.end()
  }
}

/**
 * Refuses to take a backup if the disk has too little free space for it: FREE_BYTES and the size of the last backup without its
 * files, which are linked.
 * @param last folder of the last backup; undefined for none
 * @throws {Error} with the free and the needed space
 */
async function refuseFull(dir: string, last: string | undefined): Promise<void> {
  const { bavail, bsize } = await statfs(dir)
  const wanted = (last === undefined ? 0 : await sizeOf(last, PARTS.files)) + FREE_BYTES
  if (bavail * bsize < wanted)
    throw new Error(
      `BACKUP_DIR ${dir} has ${Math.floor((bavail * bsize) / 1024 ** 2)} MB free, and a backup needs about ${Math.ceil(wanted / 1024 ** 2)} MB`,
    )
}

/**
 * Returns the bytes below a folder, except those in one folder of it; 0 if the operator has deleted it.
 * @param except name of that folder
 */
async function sizeOf(folder: string, except?: string): Promise<number> {
  let bytes = 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const skipped = except === undefined ? undefined : join(folder, except)
  for (const entry of entries)
    if (entry.isFile() && (skipped === undefined || !`${entry.parentPath}/`.startsWith(`${skipped}/`)))
      bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

/** Deletes a backup. Renames its folder before, so that a partly deleted backup does not look complete. */
async function removeWhole({ folder }: KeptRun): Promise<void> {
  const part = `${folder}${PART}`
  await rename(folder, part).catch((error: NodeJS.ErrnoException) => {
    // The operator has removed it by hand.
    if (error.code !== 'ENOENT') throw error
  })
  await rm(part, { recursive: true, force: true })
}

/** Deletes the archived WAL that none of the remaining backups needs. */
async function forgetJournal(kept: readonly KeptRun[], dir: string): Promise<void> {
  const copies = kept.flatMap(({ folder }) =>
    dirname(folder) === dir ? (readClusterNote(folder) ?? []) : [],
  )
  // The newest first, so that the oldest of each cluster remains in the map.
  const oldest = new Map(copies.map(({ systemId, firstPart }) => [systemId, firstPart]))
  for (const [systemId, firstPart] of oldest) await pruneWal(walFolderOf(dir, systemId), firstPart)
}

/**
 * Deletes an unfinished backup if it is in this server's BACKUP_DIR. Another server's folder may be another disk under the same
 * name. A failure is only logged.
 */
async function removeUnfinished({ services, logger }: BackupJobParts, folder: string): Promise<void> {
  if (dirname(folder) !== services.config.backups.dir) return
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
    logger.warn({ err: error, folder }, 'an incomplete backup could not be deleted'),
  )
}

/**
 * Runs a restore test of the newest backup if it was not tested and the last successful test is older than `backupTestDays`; 0
 * days means never. Stores and logs the result. Never throws because of a failed test.
 */
async function testNewest(
  { database: { db }, services, logger }: BackupJobParts,
  signal: AbortSignal,
  now: Date,
): Promise<void> {
  const { dir } = services.config.backups
  const { backupTestDays: testDays } = services.settings.now()
  if (testDays === 0) return
  const [newest] = await listKeptRuns(db)
  if (newest === undefined || newest.testedAt !== null || dirname(newest.folder) !== dir) return
  const good = await lastGoodTest(db)
  // An hour less, because the same time of day may come slightly sooner or later.
  const isOld = now.getTime() - (good?.getTime() ?? 0) > testDays * 86_400_000 - 3_600_000
  if (!isOld) return
  const begun = performance.now()
  let failure: string | null = null
  let isRestored = false
  try {
    isRestored = await testBackup(newest.folder, services.config, signal)
  } catch (error) {
    if (signal.aborted) return
    failure = messageOf(error)
    logger.error({ err: error, folder: newest.folder }, 'the restore test of a backup failed')
  }
  await recordTest(db, newest.id, failure)
  if (failure === null)
    logger.info(
      { folder: newest.folder, seconds: Math.round((performance.now() - begun) / 1000) },
      isRestored
        ? 'the restore test of a backup succeeded'
        : 'the checksums of an encrypted backup were verified; it was not restored, because BACKUP_IDENTITY_FILE is not set',
    )
}

/**
 * Moves archived WAL of the embedded database to BACKUP_DIR (design/backups#point-in-time-recovery). Does nothing for an external
 * database. Only one process does this at a time.
 * @returns true, or undefined if another process does this now
 */
async function moveArchivedWal({
  database,
  services,
}: Omit<BackupJobParts, 'logger'>): Promise<boolean | undefined> {
  const { dataDir, backups } = services.config
  return withAdvisoryLock(database.pool, LOCK.journal, async () => {
    const systemId = systemIdOf(dataDir)
    if (systemId !== undefined) await moveWal(dataDir, walFolderOf(backups.dir, systemId), backups.recipients)
    return true
  })
}

/** Milliseconds that the WAL job pauses after a failure, so that an unavailable folder causes only a few log lines per hour. */
const JOURNAL_AGAIN_MS = 5 * 60_000

/** Returns the job that moves archived WAL to BACKUP_DIR. After a failure it pauses for 5 minutes. */
export function journalJob(parts: Omit<BackupJobParts, 'logger'>): () => Promise<void> {
  let notBefore = 0
  return async () => {
    if (Date.now() < notBefore) return
    notBefore = Date.now() + JOURNAL_AGAIN_MS
    await moveArchivedWal(parts)
    notBefore = 0
  }
}
