import { createReadStream, existsSync } from 'node:fs'
import { readdir, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createZstdCompress } from 'node:zlib'
import { archiveOf } from '../db/embedded/wal-archive.ts'
import { makeFolder, syncFolder } from '../durable-files.ts'
import { partName, writePart } from './encryption.ts'

/** Name of a WAL segment of PostgreSQL, 16 MB each. */
const PART_NAME = /^[0-9A-F]{24}$/
/** Name of a PostgreSQL timeline history file, which records the timeline that a restore branched from. */
export const HISTORY_NAME = /^[0-9A-F]{8}\.history$/
const PACKED = '.zst'

/** Most segments that wait for BACKUP_DIR: 4 GB, because archived WAL must not fill the disk of the database. */
const MOST_WAITING = 256

/** Returns the folder of one cluster's WAL in BACKUP_DIR. Segments of different clusters have the same names. */
export const journalOf = (backupDir: string, systemId: string): string =>
  join(backupDir, `journal-${systemId}`)

/** Returns the path of a compressed WAL segment in the folder of `journalOf`, without the .age of an encrypted one. */
export const packedPart = (journal: string, name: string): string => join(journal, `${name}${PACKED}`)

/**
 * Moves the WAL that the embedded database has archived into the backup folder, compressed, because most segments are nearly
 * empty. Only one server may do this at a time.
 * @param journal folder of `journalOf`
 * @param recipients public keys of age that it is encrypted for
 * @throws the error of the file system if the folder cannot be written. The archived WAL stays, up to 4 GB. Above that all of it
 * is deleted, and point-in-time recovery starts again with the next backup
 */
export async function moveJournal(
  dataDir: string,
  journal: string,
  recipients: readonly string[],
): Promise<void> {
  const waiting = archiveOf(dataDir)
  if (!existsSync(waiting)) return
  const names = (await readdir(waiting)).filter((name) => PART_NAME.test(name) || HISTORY_NAME.test(name))
  try {
    if (names.length > 0) await makeFolder(journal)
    for (const name of names.toSorted()) {
      const target = partName(packedPart(journal, name), recipients)
      const content = createReadStream(join(waiting, name))
      await writePart(`${target}.part`, [content, createZstdCompress()], { recipients, replaces: true })
      await rename(`${target}.part`, target)
      // This folder may be on another disk than the file that is deleted next.
      await syncFolder(journal)
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
 * Deletes the WAL segments of all timelines that are older than a segment.
 * @param first name of the segment at which the oldest remaining backup begins
 */
export async function pruneJournal(journal: string, first: string): Promise<void> {
  if (!existsSync(journal)) return
  for (const file of await readdir(journal)) {
    const name = file.slice(0, 24)
    // The first eight digits are the timeline.
    if (PART_NAME.test(name) && name.slice(8) < first.slice(8)) await rm(join(journal, file), { force: true })
  }
}
