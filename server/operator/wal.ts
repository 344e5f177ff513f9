import { createReadStream, existsSync } from 'node:fs'
import { readdir, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createZstdCompress } from 'node:zlib'
import { archiveOf } from '../db/embedded/wal-archive.ts'
import { makeFolder, syncFolder } from '../durable-files.ts'
import { partName, writePart } from './encryption.ts'

/** Name of a WAL segment: 8 hexadecimal digits for the timeline, 16 for the position. A segment has 16 MB. */
const SEGMENT_NAME = /^[0-9A-F]{24}$/
/** Name of a PostgreSQL timeline history file, which records the timeline that a restore branched from. */
export const HISTORY_NAME = /^[0-9A-F]{8}\.history$/
/** Ending of a compressed segment. */
const PACKED = '.zst'

/**
 * Number of archived segments (4 GB) that may wait for BACKUP_DIR, because archived WAL must not fill the disk of
 * the database.
 */
const MOST_WAITING = 256

/**
 * Returns the folder of the WAL of one database cluster in BACKUP_DIR: `journal-` and its system identifier.
 * Segments of different clusters have the same names.
 */
export const walFolderOf = (backupDir: string, systemId: string): string =>
  join(backupDir, `journal-${systemId}`)

/**
 * Returns the path of a compressed segment or history file in the folder of `walFolderOf`, without the .age of an
 * encrypted one.
 */
export const packedSegment = (walFolder: string, name: string): string => join(walFolder, `${name}${PACKED}`)

/**
 * Moves the WAL that the embedded database has archived in DATA_DIR to BACKUP_DIR: compresses and encrypts each
 * segment and history file, then deletes the original. Only one server may do this at a time.
 * @param walFolder folder of `walFolderOf`
 * @param recipients public keys of age to encrypt for; without any it is not encrypted
 * @throws the error of the file system if the folder cannot be written. The archived WAL stays, up to MOST_WAITING
 * segments. Above that all of it is deleted, and point-in-time recovery starts again with the next backup
 */
export async function moveWal(
  dataDir: string,
  walFolder: string,
  recipients: readonly string[],
): Promise<void> {
  const waiting = archiveOf(dataDir)
  if (!existsSync(waiting)) return
  const names = (await readdir(waiting)).filter((name) => SEGMENT_NAME.test(name) || HISTORY_NAME.test(name))
  try {
    if (names.length > 0) await makeFolder(walFolder)
    for (const name of names.toSorted()) {
      const target = partName(packedSegment(walFolder, name), recipients)
      const content = createReadStream(join(waiting, name))
      await writePart(`${target}.part`, [content, createZstdCompress()], { recipients, replaces: true })
      await rename(`${target}.part`, target)
      // This folder may be on another disk than the file that is deleted next.
      await syncFolder(walFolder)
      await unlink(join(waiting, name))
    }
  } catch (error) {
    if (names.length > MOST_WAITING) for (const name of names) await rm(join(waiting, name), { force: true })
    throw error
  }
  // Files that state where a backup began are not needed: the backup contains this.
  for (const name of await readdir(waiting))
    if (name.endsWith('.backup')) await rm(join(waiting, name), { force: true })
}

/**
 * Deletes from BACKUP_DIR the segments that are older than a segment, on all timelines. History files stay.
 * @param first name of the segment at which the oldest remaining backup begins
 */
export async function pruneWal(walFolder: string, first: string): Promise<void> {
  if (!existsSync(walFolder)) return
  for (const file of await readdir(walFolder)) {
    const name = file.slice(0, 24)
    // The first eight digits are the timeline.
    if (SEGMENT_NAME.test(name) && name.slice(8) < first.slice(8))
      await rm(join(walFolder, file), { force: true })
  }
}
