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
import { nextDue } from '../../backups/times.ts'
import { testsRestore } from '../../backups/watch.ts'
import { isOwnDatabase } from '../../db/embedded/running.ts'
import { mayChangeTrail } from '../../db/serving-role.ts'
import type { Call, Handler, Services } from '../../http/handler.ts'

type Part = OutputOf<typeof endpoint>['parts'][number]

/** What is lost already, or will be with the next mishap. */
const BAD: ReadonlySet<SystemProblem> = new Set([
  'filesMissing',
  'mailAway',
  'backupLate',
  'backupTestFailed',
  'certificateEnded',
  'diskLow',
])
const GIGABYTE = 1024 ** 3
const STORAGE_LOW_BYTES = 5 * GIGABYTE
const DISK_LOW_BYTES = GIGABYTE
const DAY_MS = 86_400_000
const CERTIFICATE_DAYS = 21
/** A job that has not ended well for so long, and three times its own pace, stands; the one of the day for two days. */
const STANDS_MS = 2 * 3_600_000
const DAILY_STANDS_MS = 2 * DAY_MS

/** What this Maru is called. */
export const { version: MARU_VERSION } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as {
  version: string
}
const startedAt = new Date(Date.now() - process.uptime() * 1000)

/** How the portal is doing, as this server sees it (rules/settings#system). */
export const getSystem: Handler<typeof endpoint> = (call) => stateOfSystem(call)

/** The same for whoever asks on this server. */
export async function stateOfSystem({
  db,
  services,
}: Pick<Call, 'db' | 'services'>): Promise<OutputOf<typeof endpoint>> {
  const found = await findState(db)
  const isUnguarded = await mayChangeTrail(db)
  return {
    parts: [
      partOf('version', [], {
        version: MARU_VERSION,
        nodeVersion: process.versions.node,
        startedAt: timeOf(startedAt),
        processes: String(services.config.workers),
      }),
      partOf('database', isUnguarded ? ['trailUnguarded'] : [], {
        databaseKind: isOwnDatabase(services.config) ? 'own' : 'given',
        databaseVersion: found.version,
        databaseSize: found.size,
      }),
      await storagePart(services, found),
      mailPart(services, found),
      jobsPart(services),
      backupsPart(services),
      certificatesPart(services),
      await diskPart(services),
    ],
  }
}

interface Found {
  version: string
  size: string
  missing: number
  waiting: number
  refused: number
}

async function findState(db: Call['db']): Promise<Found> {
  const { rows } = await sql<Found>`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as size,
      (select count(*)::int from notice_files where missing_since is not null) as missing,
      (select count(*)::int from mails where failed_at is null) as waiting,
      (select count(*)::int from mails where failed_at is not null) as refused`.execute(db)
  return rows[0] ?? { version: '', size: '', missing: 0, waiting: 0, refused: 0 }
}

function partOf(
  part: SystemPart,
  problems: SystemProblem[],
  facts: Partial<Record<SystemFact, string>> | Part['facts'],
): Part {
  const list = Array.isArray(facts)
    ? facts
    : Object.entries(facts).map(([fact, value]) => ({ fact: fact as SystemFact, target: '', value }))
  const isBad = problems.some((problem) => BAD.has(problem))
  return { part, state: isBad ? 'bad' : problems.length > 0 ? 'attention' : 'good', problems, facts: list }
}

async function storagePart({ config, storage }: Services, { missing }: Found): Promise<Part> {
  const { storage: place } = config
  const room = await storage.room().catch(() => Infinity)
  return partOf(
    'storage',
    [
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

function mailPart({ config, mail }: Services, { waiting, refused }: Found): Part {
  const { smtpUrl } = config.secrets
  const sentAt = mail.lastSentAt()
  return partOf(
    'mail',
    [
      ...(smtpUrl === '' ? (['mailNone'] as const) : []),
      ...(mail.isAway() ? (['mailAway'] as const) : []),
      ...(refused > 0 ? (['mailRefused'] as const) : []),
    ],
    {
      mailServer: smtpUrl === '' ? '' : new URL(smtpUrl).host,
      mailSentAt: sentAt === null ? '' : timeOf(sentAt),
      mailsWaiting: String(waiting),
      mailsRefused: String(refused),
    },
  )
}

function jobsPart({ jobs }: Services): Part {
  const now = Date.now()
  const report = jobs.report()
  const stands = report.some(({ name, lastRunAt, everySeconds }) => {
    const within = name === 'accounts' ? DAILY_STANDS_MS : Math.max(STANDS_MS, 3 * everySeconds * 1000)
    return now - Math.max(lastRunAt, startedAt.getTime()) > within
  })
  const fails = report.some(({ lastRunAt, lastFailedAt }) => lastFailedAt > lastRunAt)
  return partOf(
    'jobs',
    [...(fails ? (['jobFails'] as const) : []), ...(stands ? (['jobStands'] as const) : [])],
    report.map(({ name, lastRunAt }) => ({
      fact: 'jobRanAt' as const,
      target: name,
      value: lastRunAt === 0 ? '' : timeOf(new Date(lastRunAt)),
    })),
  )
}

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

const CERTIFICATES = {
  mail: 'certificateMail',
  storage: 'certificateStorage',
  database: 'certificateDatabase',
} as const

function certificatesPart({ certificates }: Services): Part {
  const ends = [...certificates.report()]
  const daysLeft = Math.min(...ends.map(([, end]) => (end.getTime() - Date.now()) / DAY_MS))
  return partOf(
    'certificates',
    daysLeft < 0 ? ['certificateEnded'] : daysLeft < CERTIFICATE_DAYS ? ['certificateEnds'] : [],
    Object.fromEntries(ends.map(([peer, end]) => [CERTIFICATES[peer], timeOf(end)])),
  )
}

async function diskPart({ config }: Services): Promise<Part> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  return partOf('disk', free < DISK_LOW_BYTES ? ['diskLow'] : [], {
    dataFolder: config.dataDir,
    freeBytes: String(free),
    totalBytes: String(blocks * bsize),
  })
}

/** As times are on the wire. */
const timeOf = (date: Date) => date.toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' })
