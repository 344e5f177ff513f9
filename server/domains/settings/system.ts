import { sql } from 'kysely'
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type {
  getSystem as endpoint,
  SystemFact,
  SystemPart,
  SystemProblem,
} from '../../../contract/settings.ts'
import { nextDue, testsRestore } from '../../services/backup-watch.ts'
import { mayChangeTrail } from '../../db/serving-role.ts'
import type { Call, Handler, Services } from '../../http/handler.ts'
import { mailHostOf } from './test-mail.ts'

/** State of a part of the portal, with its problems and facts. */
type Part = OutputOf<typeof endpoint>['parts'][number]

/**
 * Problems that make the state of a part 'bad' in `partOf`: they have lost data already, or lose it with the next
 * failure. Others make it 'attention'.
 */
const SEVERE_PROBLEMS: ReadonlySet<SystemProblem> = new Set([
  'clockDoubted',
  'accessLogStopped',
  'accessLogTampered',
  'storageAway',
  'filesMissing',
  'mailAway',
  'backupLate',
  'backupTestFailed',
  'certificateEnded',
  'diskLow',
  'diskFull',
])
/** Bytes of a gigabyte. */
const GIGABYTE = 1024 ** 3
/** Free bytes of the file storage below which it is a problem. */
const STORAGE_LOW_BYTES = 5 * GIGABYTE
/** Free bytes of the data folder's disk below which it is a problem. */
const DISK_LOW_BYTES = GIGABYTE
/** Milliseconds of a day. */
const DAY_MS = 86_400_000
/** Days before a certificate expires in which it is a problem. */
const CERTIFICATE_DAYS = 21
/** Seconds that a mail may wait in the queue. */
const MAIL_LATE_SECONDS = 15 * 60
/** Seconds that a row of a log may wait for its export. */
const LOG_EXPORT_LATE_SECONDS = 15 * 60
/** Seconds that the clocks of server and database may differ. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 2
/**
 * Milliseconds without a success after which a job counts as stopped, if they are also three times its interval. For
 * daily jobs DAILY_JOB_STOPPED_MS counts instead.
 */
const JOB_STOPPED_MS = 2 * 3_600_000
/** Milliseconds without a success after which a daily job counts as stopped. */
const DAILY_JOB_STOPPED_MS = 2 * DAY_MS

/** Version of this Maru. */
export const { version: MARU_VERSION } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as {
  version: string
}
/** Time at which this process started. */
const startedAt = new Date(Date.now() - process.uptime() * 1000)

/**
 * Returns the state of each part of the portal, such as database, mail and backups, as this server sees it: good,
 * attention or bad, its problems, and facts (rules/settings#system).
 */
export const getSystem: Handler<typeof endpoint> = (call) => stateOfSystem(call)

/** Returns the state of the portal as `getSystem`, for other code of the server. Writes nothing. */
export async function stateOfSystem({
  db,
  services,
}: Pick<Call, 'db' | 'services'>): Promise<OutputOf<typeof endpoint>> {
  const sentAt = Date.now()
  const found = await findState(db)
  const receivedAt = Date.now()
  const isUnguarded = await mayChangeTrail(db)
  return {
    parts: [
      partOf('version', [], {
        version: MARU_VERSION,
        nodeVersion: process.versions.node,
        startedAt: timeOf(startedAt),
      }),
      clockPart(found, Math.max(0, sentAt - found.now.getTime(), found.now.getTime() - receivedAt) / 1000),
      partOf('database', databaseProblems(services, isUnguarded), {
        databaseKind: services.config.databaseUrl === '' ? 'own' : 'given',
        databaseVersion: found.version,
        databaseSize: found.size,
      }),
      await storagePart(services, found),
      mailPart(services, found),
      jobsPart(services),
      backupsPart(services),
      certificatesPart(services),
      logExportPart(services, found),
      await diskPart(services),
    ],
  }
}

/**
 * Returns the problems of the database and of the access log in it.
 * @param isUnguarded true if this server could change the audit log
 */
function databaseProblems({ accessLog, databaseAdvice }: Services, isUnguarded: boolean): SystemProblem[] {
  return [
    ...(isUnguarded ? (['trailUnguarded'] as const) : []),
    ...accessLog.problems(),
    ...(databaseAdvice.length > 0 ? (['databaseSettings'] as const) : []),
  ]
}

/**
 * Returns the state of the clock.
 * @param apart seconds between the clocks of this server and of the database
 */
function clockPart({ now, doubted, trusted }: Found, apart: number): Part {
  // The clock guard of the jobs also distrusts a database whose clock differs by a day.
  const isDoubted = doubted !== null || apart * 1000 > DAY_MS
  return partOf(
    'clock',
    [
      ...(isDoubted ? (['clockDoubted'] as const) : []),
      ...(apart > MAX_CLOCK_DIFFERENCE_SECONDS ? (['clockApart'] as const) : []),
    ],
    {
      serverTime: timeOf(new Date()),
      databaseTime: timeOf(now),
      ...(doubted !== null && { clockDoubtedSince: timeOf(doubted) }),
      ...(doubted !== null && trusted !== null && { clockTrustedAt: timeOf(trusted) }),
    },
  )
}

/** Facts of the state of the system that are in the database. */
interface Found {
  /** Time of the database. */
  now: Date
  /** Time since when the clock is untrusted; null if it is trusted. */
  doubted: Date | null
  /** Time at which the clock was trusted last; null if it never was. */
  trusted: Date | null
  /** Reason why files are not deleted by the sweep; null if they are. */
  stopped: string | null
  /** Seconds that the oldest mail in the queue has waited; 0 for an empty queue. */
  waited: number
  /** Version of PostgreSQL. */
  version: string
  /** Bytes of the database. */
  size: string
  /** Number of attached files that the storage lacks. */
  missing: number
  /** Number of mails in the queue. */
  waiting: number
  /** Number of mails that could not be sent and are not tried again. */
  refused: number
  /** Seconds that the oldest row of a log has waited for its export. */
  syslogWaits: number
  /** As `syslogWaits`, for the daily files. */
  exportWaits: number
}

/** Returns the facts of the state of the system that are in the database. */
async function findState(db: Call['db']): Promise<Found> {
  const { rows } = await sql<Found>`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as size,
      (select count(*)::int from notice_files where missing_since is not null) as missing,
      clock_timestamp() as now, h.doubted_since as doubted, h.trusted_at as trusted,
      (select stopped from storage_mark) as stopped,
      (select count(*)::int from mails where failed_at is null) as waiting,
      coalesce((select extract(epoch from now() - min(created_at)) from mails where failed_at is null), 0)::int as waited,
      (select count(*)::int from mails where failed_at is not null) as refused,
      log_export_waits('syslog') as syslog_waits, log_export_waits('files') as export_waits
    from (select) as one left join heartbeat h on true`.execute(db)
  if (rows[0] === undefined) throw new Error('the state of the system has one row')
  return rows[0]
}

/**
 * Returns a part of the system with the state that its problems give it: bad if one is in SEVERE_PROBLEMS, attention
 * for others, good for none.
 */
function partOf(
  part: SystemPart,
  problems: SystemProblem[],
  facts: Partial<Record<SystemFact, string>> | Part['facts'],
): Part {
  const list = Array.isArray(facts)
    ? facts
    : Object.entries(facts).map(([fact, value]) => ({ fact: fact as SystemFact, target: '', value }))
  const isBad = problems.some((problem) => SEVERE_PROBLEMS.has(problem))
  return { part, state: isBad ? 'bad' : problems.length > 0 ? 'attention' : 'good', problems, facts: list }
}

/**
 * Returns the state of the file storage and of the virus scanner. Problems: the storage is unavailable (its free space is then
 * not reported), its space is low, files are missing, the sweep has stopped, or the scanner fails.
 */
async function storagePart(
  { config, storage, scanner }: Services,
  { missing, stopped }: Found,
): Promise<Part> {
  const { storage: place } = config
  const isAway = await storage.ready().then(
    () => false,
    () => true,
  )
  const room = isAway ? Infinity : await storage.room().catch(() => Infinity)
  return partOf(
    'storage',
    [
      ...(isAway ? (['storageAway'] as const) : []),
      ...(stopped === null ? [] : (['sweepStopped'] as const)),
      ...(scanner?.isFailing() === true ? (['scannerFails'] as const) : []),
      ...(missing > 0 ? (['filesMissing'] as const) : []),
      ...(room < STORAGE_LOW_BYTES ? (['storageLow'] as const) : []),
    ],
    {
      storagePlace: place.kind === 'disk' ? place.root : `${place.bucket} (${new URL(place.endpoint).host})`,
      ...(Number.isFinite(room) && { freeBytes: String(Math.max(0, Math.round(room))) }),
      filesMissing: String(missing),
    },
  )
}

/**
 * Returns the state of the mail server and of the queue. Problems: no mail server, one that is unavailable, mails that wait
 * longer than MAIL_LATE_SECONDS, and rejected mails.
 */
function mailPart({ settings, mail }: Services, { waiting, waited, refused }: Found): Part {
  const server = mailHostOf(settings.mailServer())
  const sentAt = mail.lastSentAt()
  return partOf(
    'mail',
    [
      ...(server === '' ? (['mailNone'] as const) : []),
      ...(mail.isAway() ? (['mailAway'] as const) : []),
      ...(waited > MAIL_LATE_SECONDS ? (['mailsLate'] as const) : []),
      ...(refused > 0 ? (['mailRefused'] as const) : []),
    ],
    {
      mailServer: server,
      mailSentAt: sentAt === null ? '' : timeOf(sentAt),
      mailsWaiting: String(waiting),
      mailsRefused: String(refused),
    },
  )
}

/**
 * Returns the state of the jobs of this server, with the last success of each. Problems: a job whose last run failed, that has
 * not succeeded for too long, or that is paused.
 */
function jobsPart({ jobs }: Services): Part {
  const now = Date.now()
  const report = jobs.report()
  const stands = report.some(({ lastRunAt, everySeconds, isDaily, isPaused }) => {
    if (isPaused) return false
    const within = isDaily ? DAILY_JOB_STOPPED_MS : Math.max(JOB_STOPPED_MS, 3 * everySeconds * 1000)
    return now - Math.max(lastRunAt, startedAt.getTime()) > within
  })
  const fails = report.some(({ lastRunAt, lastFailedAt }) => lastFailedAt > lastRunAt)
  return partOf(
    'jobs',
    [
      ...(fails ? (['jobFails'] as const) : []),
      ...(stands ? (['jobStands'] as const) : []),
      ...(report.some(({ isPaused }) => isPaused) ? (['jobPaused'] as const) : []),
    ],
    report.map(({ name, lastRunAt }) => ({
      fact: 'jobRanAt' as const,
      target: name,
      value: lastRunAt === 0 ? '' : timeOf(new Date(lastRunAt)),
    })),
  )
}

/**
 * Returns the state of the backups: the last one, its restore test (or without the private key the check of its checksums), and
 * the time of the next one. Problems: no BACKUP_DIR; a backup that failed, is late or lacks files; a failed test.
 */
function backupsPart({ config, backups }: Services): Part {
  const { dir, at } = config.backups
  const tested = testsRestore(config.backups) ? 'backupTestedAt' : 'backupCheckedAt'
  if (dir === '') return partOf('backups', ['backupNone'], {})
  const report = backups.report()
  const { last = null, test = null } = report ?? {}
  const failure = report?.failure ?? ''
  const testFailure = test?.failure ?? ''
  return partOf(
    'backups',
    [
      ...(failure === '' ? [] : (['backupFailed'] as const)),
      ...(report?.isLate === true ? (['backupLate'] as const) : []),
      ...(testFailure === '' ? [] : (['backupTestFailed'] as const)),
      ...((last?.missing ?? 0) > 0 ? (['backupIncomplete'] as const) : []),
    ],
    {
      backupFolder: last?.folder ?? dir,
      backupAt: last === null ? '' : timeOf(last.endedAt),
      ...(last !== null && { backupSize: String(last.bytes) }),
      ...(failure !== '' && { backupFailure: failure }),
      backupNextAt: timeOf(nextDue(at, new Date())),
      [tested]: test === null ? '' : timeOf(test.at),
      ...(testFailure !== '' && { backupTestFailure: testFailure }),
    },
  )
}

/** Name of the fact with the expiry of a server's certificate, by the server that this one connects to (`Peer`). */
const CERTIFICATE_FACTS = {
  mail: 'certificateMail',
  storage: 'certificateStorage',
  database: 'certificateDatabase',
  syslog: 'certificateSyslog',
} as const

/**
 * Returns the expiry of the certificates of the servers that this server connects to. A certificate is a problem after
 * its expiry, and from CERTIFICATE_DAYS before. Good if there is none.
 */
function certificatesPart({ certificates }: Services): Part {
  const ends = [...certificates.report()]
  const daysLeft = Math.min(...ends.map(([, end]) => (end.getTime() - Date.now()) / DAY_MS))
  return partOf(
    'certificates',
    daysLeft < 0 ? ['certificateEnded'] : daysLeft < CERTIFICATE_DAYS ? ['certificateEnds'] : [],
    Object.fromEntries(ends.map(([peer, end]) => [CERTIFICATE_FACTS[peer], timeOf(end)])),
  )
}

/**
 * Returns the state of the export of logs to a syslog receiver and to files. Its problem is a row that has waited
 * longer than LOG_EXPORT_LATE_SECONDS. Good if no export is configured.
 */
function logExportPart({ config }: Services, { syslogWaits, exportWaits }: Found): Part {
  const { receiver, folder, fileDays } = config.logExport
  const waits = {
    ...(receiver !== null && { syslogWaits: String(syslogWaits) }),
    ...(fileDays > 0 && { exportFolder: folder, exportWaits: String(exportWaits) }),
  }
  const isLate =
    (receiver !== null && syslogWaits > LOG_EXPORT_LATE_SECONDS) ||
    (fileDays > 0 && exportWaits > LOG_EXPORT_LATE_SECONDS)
  return partOf('logExport', isLate ? ['logExportLate'] : [], {
    syslogServer: receiver === null ? '' : `${receiver.host}:${receiver.port}`,
    ...waits,
  })
}

/**
 * Returns the free and total space of the disk with the data folder, in bytes. Problems: it is full, or less than
 * DISK_LOW_BYTES are free.
 */
async function diskPart({ config, diskSpace }: Services): Promise<Part> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  const isFull = await diskSpace.isLow()
  return partOf('disk', isFull ? ['diskFull'] : free < DISK_LOW_BYTES ? ['diskLow'] : [], {
    dataFolder: config.dataDir,
    freeBytes: String(free),
    totalBytes: String(blocks * bsize),
  })
}

/** Returns a time in the format of the wire. */
const timeOf = (date: Date) => date.toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' })
