import { chownSync, createWriteStream } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import { packedPart } from './wal.ts'
import type { Identity } from '../db/embedded/identity.ts'
import { type Decrypter, hasPart, readPart } from './encryption.ts'

/** In the cluster's folder, which PostgreSQL's user may enter whatever is around it. */
export const SPOOL = 'spool'

/** In the spool, once a part of the journal could not be read. */
const FAILED = 'failed'

/**
 * What PostgreSQL runs for each part of its journal: it asks, and waits for Maru to lay the part down. It could not unpack it itself: its
 * user may reach neither the backups nor a program that does.
 */
export const RESTORE_COMMAND = [
  `: > ${SPOOL}/want/%f`,
  `while :; do`,
  `if [ -e ${SPOOL}/have/%f ]; then exec mv ${SPOOL}/have/%f %p; fi`,
  // A status above 125 ends the recovery, where 1 would say that the journal ends here.
  `if [ -e ${SPOOL}/${FAILED} ]; then exit 200; fi`,
  `if [ -e ${SPOOL}/none/%f ]; then rm ${SPOOL}/none/%f; exit 1; fi`,
  `sleep 0.02 2>/dev/null || sleep 1`,
  `done`,
]
  .join('; ')
  .replaceAll('do;', 'do')

const EVERY_MS = 10

/**
 * Lays down what PostgreSQL asks for, until it is stopped. A part that is damaged, or encrypted for another key, ends the recovery.
 * @returns `stop`, which throws why a part could not be read
 */
export function feedJournal(
  journal: string,
  spool: string,
  { identity, decrypter }: { identity: Identity | undefined; decrypter: Decrypter },
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const lay = async (name: string) => {
    const packed = packedPart(journal, name)
    const isThere = hasPart(packed)
    const place = join(spool, isThere ? 'have' : 'none', name)
    const file = `${join(spool, name)}.part`
    if (isThere) await pipeline(readPart(packed, decrypter), createZstdDecompress(), createWriteStream(file))
    else await writeFile(file, '')
    if (identity) chownSync(file, identity.uid, identity.gid)
    await rm(join(spool, 'want', name), { force: true })
    await rename(file, place)
  }
  const feed = async () => {
    while (!stopped.signal.aborted) {
      for (const name of await readdir(join(spool, 'want'))) await lay(name)
      await sleep(EVERY_MS)
    }
  }
  let failure: unknown
  const running = feed().catch(async (error: unknown) => {
    failure = error
    await writeFile(join(spool, FAILED), '')
  })
  return {
    async stop() {
      stopped.abort()
      await running
      if (failure !== undefined) throw failure
    },
  }
}
