import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { startEmbedded } from '../db/embedded.ts'
import { NO_TIME_LIMIT, openDatabase } from '../db/open.ts'
import { verifyParts } from './encryption.ts'
import { fileOf, type Manifest, readManifest } from './manifest.ts'
import { openBackup, restoreRows } from './restore.ts'

/**
 * Name of the temporary cluster's folder below DATA_DIR. A folder of backups may be on the network, where PostgreSQL should not
 * run.
 */
const SCRATCH = 'backup-test'
/** Most files whose sizes are checked concurrently. */
const FILES_AT_ONCE = 8

/**
 * Runs a restore test of a backup: restores all rows into a temporary PostgreSQL, with every constraint, and checks that each
 * file exists with its size. It uses a core as long as a restore would, and space for a second database under DATA_DIR. For an
 * encrypted backup the checksums are compared; its rows are restored only if BACKUP_IDENTITY_FILE is set.
 * @returns whether the rows were restored
 * @throws the problem of the backup, or of this machine
 */
export async function testBackup(
  folder: string,
  { dataDir, backups: { identityFile } }: Pick<Config, 'dataDir' | 'backups'>,
  signal: AbortSignal,
): Promise<boolean> {
  const manifest = readManifest(folder)
  if (manifest.encryption === undefined) await checkFiles(manifest, folder)
  else await verifyParts(folder, manifest.encryption.parts, signal)
  if (manifest.encryption !== undefined && identityFile === '') return false
  const backup = await openBackup(folder, identityFile)
  signal.throwIfAborted()
  const scratch = join(dataDir, SCRATCH)
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
  try {
    // The database is temporary, so a power loss may damage it.
    const own = await startEmbedded({ dataDir: scratch, log: () => {}, settings: { fsync: 'off' } })
    const end = () => void own.stop()
    signal.addEventListener('abort', end, { once: true })
    try {
      await using database = await openDatabase({ ...own.owner, ...NO_TIME_LIMIT }, () => {})
      await restoreRows(database, backup)
      await countRows(database.pool, manifest)
    } finally {
      signal.removeEventListener('abort', end)
      await own.stop()
    }
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
  return true
}

/**
 * Checks that each file of an unencrypted backup exists with its size.
 * @throws the error of the file system for a missing file; an Error for another size
 */
async function checkFiles({ files }: Manifest, folder: string): Promise<void> {
  const limit = pLimit(FILES_AT_ONCE)
  await limit.map(files, async ({ bytes, ...key }) => {
    const path = join(folder, fileOf(key))
    const found = await stat(path)
    if (found.size !== bytes) throw new Error(`${path} has ${found.size} bytes and should have ${bytes}`)
  })
}

/**
 * Checks that each table has as many rows as the manifest states.
 * @throws {Error} naming the first table that has not
 */
async function countRows(pool: pg.Pool, { tables }: Manifest): Promise<void> {
  for (const { name, rows: wanted } of tables) {
    const { rows } = await pool.query<{ count: number }>(`select count(*)::float8 as count from "${name}"`)
    if (rows[0]?.count !== wanted)
      throw new Error(`${name} has ${rows[0]?.count} rows after the restore and should have ${wanted}`)
  }
}
