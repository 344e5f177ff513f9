import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { OpenDatabase } from '../db/open.ts'
import {
  removeExpiredCodes,
  removeExpiredLinks,
  removeOldNetworks,
  removeOldTries,
} from '../domains/account/index.ts'
import { mergeAuditCounts } from '../domains/audit/index.ts'
import { mergeKeyTotals } from '../domains/keys/index.ts'
import { mergeNoticeCounts, removeOldLinks, removeOldReminders } from '../domains/notices/index.ts'
import { endSessions, mergeUserCounts, runDaily } from '../domains/users/index.ts'
import type { Services } from '../http/handler.ts'
import { removeOldCounts } from '../http/limits.ts'
import { removeDeadSessions } from '../http/sessions.ts'
import { CONNECTIONS, type Mail } from '../services/mail.ts'
import { removeRefusedMails } from '../services/mail/queue.ts'
import { sweepFiles } from '../services/storage/sweep.ts'
import type { Job } from './runner.ts'

/** Everything that Maru does by itself, and when. */
export function listJobs(
  { db, pool }: OpenDatabase,
  { config, mail, settings, storage }: Services,
  logger: FastifyBaseLogger,
): Job[] {
  return [
    mailJob(mail),
    // What another server set. While the database is away what was known holds, and others say so.
    { name: 'settings', everySeconds: 1, run: () => settings.fresh().catch(() => {}) },
    { name: 'sessions', everySeconds: 60, run: () => endSessions(pool) },
    {
      name: 'accounts',
      everySeconds: 60,
      // Mails come when people begin to work, not at midnight.
      fromHour: 8,
      async run() {
        if (await runDaily(db, { config, settings })) mail.wake()
      },
    },
    { name: 'rows', everySeconds: 600, run: () => sweepRows(pool, config) },
    { name: 'counts', everySeconds: 60, run: () => mergeCounts(pool) },
    { name: 'files', everySeconds: 3600, run: () => sweepFiles(pool, storage, logger) },
  ]
}

/** Removes expired rows, by the rules of their owners. Nothing depends on them any more; the sweep only keeps tables small. */
export async function sweepRows(pool: pg.Pool, { session }: Pick<Config, 'session'>): Promise<void> {
  await removeDeadSessions(pool, session)
  await removeOldTries(pool)
  await removeOldNetworks(pool)
  await removeExpiredCodes(pool)
  await removeExpiredLinks(pool)
  await removeRefusedMails(pool)
  await removeOldLinks(pool)
  await removeOldReminders(pool)
  await removeOldCounts(pool)
}

/** Adds up what changes wrote beside the counts that lists read; the lists say the same before and after it. */
export async function mergeCounts(pool: pg.Pool): Promise<void> {
  await mergeUserCounts(pool)
  await mergeKeyTotals(pool)
  await mergeAuditCounts(pool)
  await mergeNoticeCounts(pool)
}

/** Sends mails, as many at once as there are connections: one that is slow does not hold up the others. */
export const mailJob = (mail: Mail): Job => ({
  name: 'mail',
  everySeconds: 5,
  lanes: CONNECTIONS,
  run: (signal) => mail.sendNext(signal),
})
