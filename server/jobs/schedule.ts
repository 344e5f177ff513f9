import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { journalJob, runBackups } from '../operator/run.ts'
import type { OpenDatabase } from '../db/open.ts'
import { removeOldStates } from '../domains/sso/index.ts'
import {
  removeExpiredCodes,
  removeExpiredLinks,
  removeOldDevices,
  removeOldEnrolments,
  removeOldTickets,
  removeOldNetworks,
  deleteOldAttempts,
} from '../domains/account/index.ts'
import { mergeAccessCounts, mergeAuditCounts } from '../domains/audit/index.ts'
import { deliverNext, logExportJobs, removeOldDeliveries } from '../domains/events/index.ts'
import { countFormerKeys, mergeKeyTotals, notifyExpiringTokens } from '../domains/keys/index.ts'
import { removeOldLinks, removeOldReminders, removeOldUploadDays } from '../domains/notices/index.ts'
import { mailAtOnce, mailDaily, removeOldNotifications } from '../domains/notifications/index.ts'
import { endSessions, mergeUserCounts, runDaily } from '../domains/users/index.ts'
import type { Services } from '../http/handler.ts'
import { removeOldCounts } from '../http/admission/rate-limits.ts'
import { removeDeadSessions } from '../callers/sessions.ts'
import { archiveMonths } from '../services/access-log/archive.ts'
import { createClockGuard } from '../services/clock-guard.ts'
import { CONNECTIONS, type Mail } from '../services/mail.ts'
import type { SessionLimits } from '../services/settings.ts'
import { sweepFiles } from '../services/storage/sweep.ts'
import { eraseExpired } from './erasures.ts'
import type { PortalJob } from '../services/job-runner.ts'

/** Most concurrent deliveries of events. */
const EVENT_LANES = 4

/**
 * Returns the background jobs of a server with their intervals. Starts none. Jobs that write pause while the disk is nearly full,
 * and jobs that end or delete records pause while the clock is untrusted.
 */
export function listJobs(database: OpenDatabase, services: Services, logger: FastifyBaseLogger): PortalJob[] {
  const { db, pool } = database
  const { config, mail, settings, storage, accessLog, keySecret } = services
  // Only one of several processes lists the storage per hour.
  const sweepTimes = { quarantineDays: config.scan.quarantineDays, everyMinutes: 50 }
  const backups: PortalJob[] = [
    {
      name: 'backup',
      everySeconds: 60,
      run: (signal) => runBackups({ database, services, logger }, signal),
    },
    {
      name: 'journal',
      everySeconds: 10,
      run: journalJob({ database, services }),
    },
  ]
  const list: PortalJob[] = [
    mailJob(mail),
    // Reads what another server set. While the database is unavailable the last values stay valid, and other jobs report the
    // failure.
    { name: 'settings', everySeconds: 1, run: () => settings.fresh().catch(() => {}) },
    // Keeps the signed heads outside the database at most a second old. The log itself reports if it cannot be signed.
    { name: 'access-log', everySeconds: 1, run: () => accessLog.keepHeads().catch(() => {}) },
    { name: 'access-log-copies', everySeconds: 60, run: () => accessLog.keepCopies() },
    {
      name: 'access-log-months',
      everySeconds: 3600,
      run: () =>
        archiveMonths({
          pool,
          dataDir: config.dataDir,
          seed: keySecret.logSeed,
          months: settings.now().accessLogMonths,
        }),
    },
    { name: 'sessions', everySeconds: 60, run: () => endSessions(pool) },
    {
      name: 'accounts',
      everySeconds: 60,
      // Mails arrive when people start to work, not at midnight.
      fromHour: 8,
      async run() {
        if (await runDaily(db, { settings })) mail.wake()
      },
    },
    // During the day, like the mails of accounts. Each token gets one notification, whichever server sends it.
    { name: 'token-ends', everySeconds: 60, fromHour: 8, run: () => notifyExpiringTokens(db) },
    {
      name: 'events',
      everySeconds: 1,
      lanes: EVENT_LANES,
      run: (signal) => deliverNext({ db, outbound: services.outbound, keySecret }, signal),
    },
    {
      name: 'notification-mails',
      everySeconds: 5,
      async run(signal) {
        const isMore = await mailAtOnce(db, settings, signal)
        if (isMore) mail.wake()
        return isMore
      },
    },
    {
      name: 'daily-notification-mails',
      everySeconds: 60,
      fromHour: 8,
      async run(signal) {
        if (await mailDaily(db, settings, signal)) mail.wake()
      },
    },
    { name: 'rows', everySeconds: 600, run: () => sweepRows(pool, settings.session()) },
    { name: 'erasures', everySeconds: 600, run: (signal) => eraseExpired(db, keySecret, signal) },
    { name: 'counts', everySeconds: 60, run: () => mergeCounts(pool) },
    { name: 'key-secrets', everySeconds: 600, run: () => countFormerKeys(db, keySecret) },
    { name: 'files', everySeconds: 3600, run: () => sweepFiles(pool, storage, logger, sweepTimes) },
    { name: 'certificates', everySeconds: 3600, run: (signal) => services.certificates.look(signal) },
    ...logExportJobs(database, config, logger),
    ...(config.backups.dir === '' ? [] : backups),
  ]
  const clock = createClockGuard(pool, logger)
  return list
    .map((job) => (WAITS_FOR_DISK_SPACE.has(job.name) ? unless(job, () => services.diskSpace.isLow()) : job))
    .map((job) => (DEPENDS_ON_CLOCK.has(job.name) ? unless(job, () => clock.isDoubted()) : job))
}

/**
 * Names of the jobs that write and can wait while the disk is nearly full. A mail that cannot be marked as sent would
 * be sent twice.
 */
const WAITS_FOR_DISK_SPACE: ReadonlySet<string> = new Set<PortalJob['name']>([
  'mail',
  'accounts',
  'token-ends',
  'events',
  'notification-mails',
  'daily-notification-mails',
  'rows',
  'erasures',
  'counts',
  'backup',
  'access-log-months',
  'log-export-syslog',
  'log-export-files',
])

/** Names of the jobs that end or delete records on a day. They must not run by a wrong clock. */
const DEPENDS_ON_CLOCK: ReadonlySet<string> = new Set<PortalJob['name']>([
  'accounts',
  'token-ends',
  'sessions',
  'rows',
  'erasures',
  'files',
  'access-log-months',
  'daily-notification-mails',
])

/** Returns a job that does nothing and reports 'later' while a condition holds. */
function unless(job: PortalJob, isPaused: () => Promise<boolean>): PortalJob {
  return { ...job, run: async (signal) => ((await isPaused()) ? 'later' : job.run(signal)) }
}

/**
 * Deletes expired rows, such as sessions, codes, links and counts, by the rules of their domains. It only keeps the tables small:
 * no call counts expired rows.
 */
export async function sweepRows(pool: pg.Pool, limits: SessionLimits): Promise<void> {
  await removeDeadSessions(pool, limits)
  await deleteOldAttempts(pool)
  await removeOldNetworks(pool)
  await removeExpiredCodes(pool)
  await removeExpiredLinks(pool)
  await removeOldTickets(pool)
  await removeOldStates(pool)
  await removeOldDevices(pool)
  await removeOldEnrolments(pool)
  await removeOldLinks(pool)
  await removeOldReminders(pool)
  await removeOldUploadDays(pool)
  await removeOldCounts(pool)
  await removeOldNotifications(pool)
  await removeOldDeliveries(pool)
}

/** Merges the rows of the tables of counts that have the same key. The lists that read them show the same before and after. */
async function mergeCounts(pool: pg.Pool): Promise<void> {
  await mergeUserCounts(pool)
  await mergeKeyTotals(pool)
  await mergeAuditCounts(pool)
  await mergeAccessCounts(pool)
}

/** Returns the job that sends queued mails concurrently, one per connection, so that a slow one does not delay the others. */
export const mailJob = (mail: Mail): PortalJob => ({
  name: 'mail',
  everySeconds: 5,
  lanes: CONNECTIONS,
  run: (signal) => mail.sendNext(signal),
})
