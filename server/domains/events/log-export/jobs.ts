import type { FastifyBaseLogger } from 'fastify'
import { messageOf } from '../../../caught-errors.ts'
import type { Config } from '../../../config.ts'
import { LOCK } from '../../../db/locks.ts'
import { withAdvisoryLock } from '../../../db/one-connection.ts'
import type { OpenDatabase } from '../../../db/open.ts'
import type { PortalJob } from '../../../services/job-runner.ts'
import { appendToFiles, removeFilesBefore } from './files.ts'
import { endOfLog, type ExportedRow, LOGS, type LogPosition, ROWS_IN_BATCH, rowsAfter } from './rows.ts'
import { createSyslogSender, type SyslogTimes } from '../../../services/syslog.ts'
import { syslogMessageOf } from './syslog-message.ts'

/** A destination to which rows of the audit and access log are exported: a syslog receiver, or files. */
interface Destination {
  name: 'syslog' | 'files'
  /** Key of the advisory lock that keeps other servers from exporting to it concurrently. */
  lock: number
  /** Sends rows. Resolves when the destination has stored them. */
  take: (rows: readonly ExportedRow[], signal: AbortSignal) => Promise<void>
}

/** Seconds between two runs of an export. */
const EVERY_SECONDS = 2
/** Milliseconds without an attempt after a failure. */
const PAUSE_MS = 10_000
/** Milliseconds of a day. */
const DAY_MS = 86_400_000

/**
 * Returns the jobs that export the audit and access log: one for each destination that the configuration has, a syslog
 * receiver and files (rules/events#log-export). A job logs an outage once, tries again, and logs its end.
 * @param pauseMs milliseconds without an attempt after a failure
 */
export function logExportJobs(
  database: OpenDatabase,
  { logExport }: Pick<Config, 'logExport'>,
  logger: FastifyBaseLogger,
  { pauseMs = PAUSE_MS, syslog }: { pauseMs?: number; syslog?: SyslogTimes } = {},
): PortalJob[] {
  const { receiver, folder, fileDays } = logExport
  const destinations: Destination[] = []
  if (receiver !== null) {
    const sender = createSyslogSender(receiver, syslog)
    const take: Destination['take'] = (rows, signal) => sender.send(rows.map(syslogMessageOf), signal)
    destinations.push({ name: 'syslog', lock: LOCK.syslogExport, take })
  }
  if (fileDays > 0) {
    const take: Destination['take'] = async (rows) => {
      await appendToFiles(folder, rows)
      const oldest = new Date(Date.now() - fileDays * DAY_MS)
      await removeFilesBefore(folder, oldest.toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' }))
    }
    destinations.push({ name: 'files', lock: LOCK.fileExport, take })
  }
  return destinations.map((destination) => {
    let [isFailing, pausedUntil] = [false, 0]
    return {
      name: `log-export-${destination.name}`,
      everySeconds: EVERY_SECONDS,
      async run(signal) {
        if (Date.now() < pausedUntil) return false
        try {
          const isMore = await exportBatch(database, destination, signal)
          if (isFailing) logger.warn({ destination: destination.name }, 'the logs can be exported again')
          isFailing = false
          return isMore
        } catch (error) {
          if (signal.aborted) return false
          // Once per outage: the log must not grow with the attempts.
          const details = { destination: destination.name, reason: messageOf(error) }
          if (!isFailing)
            logger.error(details, 'the logs cannot be exported; their rows wait in the database')
          ;[isFailing, pausedUntil] = [true, Date.now() + pauseMs]
          return false
        }
      },
    }
  })
}

/**
 * Exports the next rows of both logs to a destination and stores the new positions. Only one server does at a time. A
 * position moves after the destination has the rows, so a server that is killed in between sends them again
 * (design/events#log-export).
 * @returns true if a log may have more rows; false also if another server is exporting
 */
async function exportBatch(
  { db, pool }: OpenDatabase,
  { name, lock, take }: Destination,
  signal: AbortSignal,
): Promise<boolean> {
  const isMore = await withAdvisoryLock(pool, lock, async (assertLockHeld) => {
    const batches = await Promise.all(
      LOGS.map(async (log) => {
        const last = await positionOf(db, name, log)
        return last === undefined ? [] : rowsAfter(db, last)
      }),
    )
    if (batches.every((rows) => rows.length === 0)) return false
    await take(batches.flat(), signal)
    await assertLockHeld()
    for (const { log, month, position, number } of batches.flatMap((rows) => rows.at(-1) ?? []))
      await db
        .updateTable('logExports')
        .set({ month, position, number })
        .where('destination', '=', name)
        .where('log', '=', log)
        .execute()
    return batches.some((rows) => rows.length === ROWS_IN_BATCH)
  })
  return isMore === true
}

/**
 * Returns the position of a destination in a log. For a new destination it stores the end of the log.
 * @returns undefined while that end is not known
 */
async function positionOf(
  db: OpenDatabase['db'],
  destination: Destination['name'],
  log: LogPosition['log'],
): Promise<LogPosition | undefined> {
  const known = await db
    .selectFrom('logExports')
    .select(['month', 'position', 'number'])
    .where('destination', '=', destination)
    .where('log', '=', log)
    .executeTakeFirst()
  if (known) return { log, ...known }
  const end = await endOfLog(db, log)
  if (end)
    await db
      .insertInto('logExports')
      .values({ destination, ...end })
      .execute()
  return end
}
