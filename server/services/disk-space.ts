import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createCachedCheck } from './cached-check.ts'

/**
 * Minimum free bytes next to the embedded database. Below it, calls that write are refused, so that the log rows of reads and logins
 * still fit, and PostgreSQL, which stops if its WAL finds no space, goes on (design/disk-and-clock#full-disk).
 */
const MIN_FREE_BYTES = 64 * 1024 ** 2
/** Milliseconds for which the result of `isLow` is cached. */
const CACHE_MS = 1_000

/** Routines in which PostgreSQL extends a table's file. A used-up quota has no SQLSTATE of its own there. */
const EXTENDS_FILE = new Set(['mdextend', 'mdzeroextend'])

/** Returns whether an error of the database, the file system or the bucket means that its disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, routine, $metadata } = error as Error & {
    code?: unknown
    routine?: unknown
    $metadata?: { httpStatusCode?: number }
  }
  // SQLSTATE 53100, the errors of the file system, and 507 of a bucket.
  if (code === '53100' || code === 'ENOSPC' || code === 'EDQUOT') return true
  return (code === 'XX000' && EXTENDS_FILE.has(String(routine))) || $metadata?.httpStatusCode === 507
}

/** Free space on the disk of the database, as far as this process can see it. */
export interface DiskSpace {
  /** Returns the free bytes; Infinity for a disk of another machine, or if they cannot be read. */
  free(): Promise<number>
  /**
   * Returns whether fewer than MIN_FREE_BYTES are free, so that calls that write are refused. The result is cached for a second.
   */
  isLow(): Promise<boolean>
}

/**
 * Creates the check of the database's disk. Logs when the space becomes low and when it suffices again.
 * @param folder a folder on the disk of the embedded database; undefined for an external one, whose space always suffices
 */
export function createDiskSpace(
  folder: string | undefined,
  logger: Pick<FastifyBaseLogger, 'error' | 'info'>,
): DiskSpace {
  let wasLow = false

  const free = async () => {
    if (folder === undefined) return Infinity
    try {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    } catch {
      return Infinity
    }
  }
  const checkIsLow = async () => {
    const isLow = (await free()) < MIN_FREE_BYTES
    if (isLow && !wasLow) logger.error({ folder }, 'the disk is nearly full; calls that write are refused')
    if (!isLow && wasLow) logger.info({ folder }, 'the disk has free space again')
    wasLow = isLow
    return isLow
  }
  return { free, isLow: createCachedCheck(checkIsLow, CACHE_MS) }
}
