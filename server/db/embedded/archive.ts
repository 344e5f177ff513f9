import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from './identity.ts'

/** In the cluster's folder, which is all that PostgreSQL's user is sure to be allowed to write to. */
const ARCHIVE = 'archive'

/**
 * Seconds until a WAL segment is archived. With the seconds until it is moved on (server/operator/wal.ts), this is the most that
 * a lost machine loses.
 */
const SECONDS = 45

/** Where the own database leaves the journal that it has written, for Maru to move on. */
export const archiveOf = (dataDir: string): string => join(dataDir, 'postgres', ARCHIVE)

/** Makes the place, and gives the settings with which PostgreSQL copies each part of its journal there, synced and whole. */
export function keepJournal(dir: string, identity: Identity | undefined): Record<string, string> {
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

/** By what PostgreSQL tells its clusters apart, which is how its control file begins; undefined where there is no cluster. */
export function systemIdOf(dataDir: string): string | undefined {
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  return existsSync(control) ? String(readFileSync(control).readBigUInt64LE(0)) : undefined
}
