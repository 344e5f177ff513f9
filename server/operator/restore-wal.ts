import { chownSync, createWriteStream } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import { packedSegment } from './wal.ts'
import type { Identity } from '../db/embedded/os-user.ts'
import { type Decrypter, hasPart, readPart } from './encryption.ts'

/** Folder in PostgreSQL's data directory in which it and Maru exchange WAL segments: its user can always access that. */
export const SPOOL = 'spool'

/** File in the spool that aborts the recovery, because a WAL segment could not be read. */
const FAILED = 'failed'

/**
 * The `restore_command`, which PostgreSQL runs for each WAL segment. It requests a segment in `want`, and waits until Maru has
 * put it into `have`, or an empty file into `none` if the archive has no such segment. The file `failed` makes it abort the
 * recovery. It does not unpack the segment itself: PostgreSQL's user can access neither the backups nor a program that unpacks
 * them.
 */
export const RESTORE_COMMAND = [
  `: > ${SPOOL}/want/%f`,
  `while :; do`,
  `if [ -e ${SPOOL}/have/%f ]; then exec mv ${SPOOL}/have/%f %p; fi`,
  // A status above 125 aborts the recovery. A status of 1 would mean that the WAL ends here.
  `if [ -e ${SPOOL}/${FAILED} ]; then exit 200; fi`,
  `if [ -e ${SPOOL}/none/%f ]; then rm ${SPOOL}/none/%f; exit 1; fi`,
  `sleep 0.02 2>/dev/null || sleep 1`,
  `done`,
]
  .join('; ')
  .replaceAll('do;', 'do')

/** Milliseconds between two checks for requested WAL segments. */
const POLL_MS = 10

/**
 * Puts the WAL segments that RESTORE_COMMAND requests into the spool, until it is stopped. If a segment is damaged, or encrypted
 * for another key, it creates the file `failed`, which aborts the recovery.
 * @param journal folder of the archived segments
 * @param options.identity user that PostgreSQL runs as, who gets the files; undefined for the user of this process
 * @returns `stop`, which throws the error of a segment that could not be read
 */
export function serveRestoreCommand(
  journal: string,
  spool: string,
  { identity, decrypter }: { identity: Identity | undefined; decrypter: Decrypter },
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const provide = async (name: string) => {
    const packed = packedSegment(journal, name)
    const isArchived = hasPart(packed)
    const target = join(spool, isArchived ? 'have' : 'none', name)
    const file = `${join(spool, name)}.part`
    if (isArchived)
      await pipeline(readPart(packed, decrypter), createZstdDecompress(), createWriteStream(file))
    else await writeFile(file, '')
    if (identity) chownSync(file, identity.uid, identity.gid)
    await rm(join(spool, 'want', name), { force: true })
    // Last, because RESTORE_COMMAND takes the file as soon as it has this name.
    await rename(file, target)
  }
  const poll = async () => {
    while (!stopped.signal.aborted) {
      for (const name of await readdir(join(spool, 'want'))) await provide(name)
      await sleep(POLL_MS)
    }
  }
  let failure: unknown
  const polling = poll().catch(async (error: unknown) => {
    failure = error
    await writeFile(join(spool, FAILED), '')
  })
  return {
    async stop() {
      stopped.abort()
      await polling
      if (failure !== undefined) throw failure
    },
  }
}
