import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from './os-user.ts'

/** Folder inside the cluster, because PostgreSQL's user can always write there. */
const ARCHIVE = 'archive'

/**
 * Seconds until a WAL segment is archived. With the seconds until it is moved on (server/operator/wal.ts), this is the most that
 * a lost machine loses.
 */
const SECONDS = 45

/** Returns the folder in which the embedded database archives its WAL until Maru moves it to BACKUP_DIR. */
export const archiveOf = (dataDir: string): string => join(dataDir, 'postgres', ARCHIVE)

/**
 * Creates the archive folder in a cluster, and returns the settings with which PostgreSQL copies each WAL segment there, complete
 * and synced.
 * @param identity user that PostgreSQL runs as, who gets the folder
 */
export function prepareArchive(dir: string, identity: Identity | undefined): Record<string, string> {
  const folder = join(dir, ARCHIVE)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (identity) chownSync(folder, identity.uid, identity.gid)
  return {
    archive_mode: 'on',
    // A module of PostgreSQL itself needs no shell and no program that a system may lack.
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': ARCHIVE,
    archive_timeout: `${SECONDS}s`,
  }
}

/**
 * Returns the system identifier of the embedded cluster, which is at the start of its control file; undefined if there is no
 * cluster.
 */
export function systemIdOf(dataDir: string): string | undefined {
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  return existsSync(control) ? String(readFileSync(control).readBigUInt64LE(0)) : undefined
}
