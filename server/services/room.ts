import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'

/**
 * What stays free beside Maru's own database while calls that write are refused: what reads and logins put on record fits in
 * for long, and PostgreSQL, which ends when its journal finds no room, goes on (ADR 106).
 */
const FLOOR_BYTES = 64 * 1024 ** 2
const HOLDS_MS = 1_000

/** Where PostgreSQL makes a table's file larger: a used-up quota has no SQLSTATE of its own there. */
const GROWS = new Set(['mdextend', 'mdzeroextend'])

/** Whether the database, the disk or the bucket says that it has no room left, whatever else it says. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, routine, $metadata } = error as Error & {
    code?: unknown
    routine?: unknown
    $metadata?: { httpStatusCode?: number }
  }
  // SQLSTATE 53100, the errors of the file system, and 507 of a bucket.
  if (code === '53100' || code === 'ENOSPC' || code === 'EDQUOT') return true
  return (code === 'XX000' && GROWS.has(String(routine))) || $metadata?.httpStatusCode === 507
}

/** The room that the database has, as far as this process can see its disk. */
export interface Room {
  /** How many bytes are free; Infinity where the disk is another machine's, or does not say. */
  free(): Promise<number>
  /** Whether calls that write are refused; the same for a second, however often it is asked. */
  isLow(): Promise<boolean>
}

/** @param folder that Maru's own database shares its disk with; undefined with a database elsewhere */
export function createRoom(
  folder: string | undefined,
  logger: Pick<FastifyBaseLogger, 'error' | 'info'>,
): Room {
  let wasLow = false
  let answer: Promise<boolean> | undefined
  let holdsUntil = 0

  const free = async () => {
    if (folder === undefined) return Infinity
    try {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    } catch {
      return Infinity
    }
  }
  const ask = async () => {
    const isLow = (await free()) < FLOOR_BYTES
    if (isLow && !wasLow) logger.error({ folder }, 'the disk is nearly full: calls that write are refused')
    if (!isLow && wasLow) logger.info({ folder }, 'the disk has room again')
    wasLow = isLow
    holdsUntil = Date.now() + HOLDS_MS
    return isLow
  }
  return {
    free,
    isLow() {
      if (answer === undefined || Date.now() >= holdsUntil) {
        // While it is asked, all who come share the answer.
        holdsUntil = Infinity
        answer = ask()
      }
      return answer
    },
  }
}
