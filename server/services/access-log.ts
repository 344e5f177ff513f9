import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { messageOf } from '../caught-errors.ts'
import { Refusal, refuse } from '../../contract/errors.ts'
import { type AccessEntry, entryText } from './access-log/chain.ts'
import { keepCopy } from './access-log/copies.ts'
import {
  type DatabaseHead,
  headsOf,
  keepHead,
  keptMonths,
  movingHeads,
  signingKey,
} from './access-log/heads.ts'
import { isDatabaseAway } from '../db/unavailable.ts'
import { isDiskFull } from './disk-space.ts'
import type { Storage } from './storage.ts'

/**
 * Access log of this process (rules/audit#access-log, design/access-log#write-before-the-response). It records access
 * to personal data before the response is sent.
 */
export interface AccessLog {
  /**
   * Refuses a call while the log cannot be written. Call it before any work that has to be recorded.
   * @throws {Refusal} UNAVAILABLE or DISK_FULL, with the seconds to wait
   */
  admit(): void
  /**
   * Writes a row, together with those of other calls that wait at the same moment.
   * @throws {Refusal} UNAVAILABLE or DISK_FULL if the row could not be written. That of a successful change is written later
   */
  write(entry: AccessEntry): Promise<void>
  /**
   * Signs the heads of the chains (the last row of each month), and stores them in DATA_DIR. Compares them with the rows before;
   * `problems` lists a difference.
   * @throws the error of the database or the file system
   */
  keepHeads(): Promise<void>
  /** Lists the problems of the log that this process has found; empty if there are none. */
  problems(): AccessLogProblem[]
  /** Copies the signed heads to the second place, if there is one. Never throws: `problems` lists a failure. */
  keepCopies(): Promise<void>
  /** Waits for pending writes, and signs and copies the heads. Never throws. */
  close(): Promise<void>
}

/**
 * Problem of the access log in this process that an operator has to solve: rows cannot be written (`Stopped`), heads cannot be
 * signed (`Unsigned`), rows do not match their signed heads (`Tampered`), or the heads cannot be copied (`NotCopied`).
 */
export type AccessLogProblem =
  'accessLogStopped' | 'accessLogUnsigned' | 'accessLogTampered' | 'accessLogNotCopied'

/** Services and settings that an access log needs. */
export interface AccessLogParts {
  pool: pg.Pool
  dataDir: string
  /** Seeds: first that of the key that signs, then those of earlier keys. */
  seeds: readonly Buffer[]
  /** Opens the second place of the signed heads (ACCESS_LOG_COPY_URL); undefined if there is none. */
  openCopies?: (() => Promise<Storage>) | undefined
  logger: FastifyBaseLogger
  /** Milliseconds until a write is tried again; shorter in tests. */
  retryMs?: number
}

/** Most rows that one statement appends. */
const MOST = 200
/** Milliseconds until rows that could not be written are tried again. */
const RETRY_MS = 1000
/** Retry-After of a call that is refused because the log cannot be written, in seconds. */
const RETRY_AFTER_SECONDS = 5
/** Pattern of the keys of `problems` that are months; the other keys concern the copies. */
const MONTH = /^\d{4}-\d\d-01$/
/** Number of newest months among which `checkReported` looks for a month with a problem. */
const REPORTED = 1000
/** Key of `problems` for a second place that cannot be used. */
const COPIES = 'copies'

/** A row that waits for the next statement, and the functions that end the wait of its call. */
interface Waiting {
  entry: AccessEntry
  done: () => void
  failed: (reason: Refusal) => void
}

/** Returns a list with the month of a head whose rows were moved to a file; an empty list otherwise. */
const archivedMonth = ({ month, isArchived }: DatabaseHead) => (isArchived ? [month] : [])

/**
 * Creates the access log of one process. It runs one statement at a time, with up to MOST rows that arrived during the previous
 * one. While rows cannot be written, it tries again every `retryMs`, and refuses calls.
 */
export function createAccessLog({
  pool,
  dataDir,
  seeds,
  openCopies,
  logger,
  retryMs = RETRY_MS,
}: AccessLogParts): AccessLog {
  const heads = { pool, dataDir, keys: seeds.map(signingKey), memory: new Map() }
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  /** Rows of changes that were made while the log could not be written. They are written when it can. */
  let owed: AccessEntry[] | undefined
  /** Reason why the log cannot be written. */
  let reason: 'UNAVAILABLE' | 'DISK_FULL' = 'UNAVAILABLE'
  let timer: NodeJS.Timeout | undefined
  const problems = new Map<string, string>()
  let areOldCopied = false
  let isUnsigned = false

  /** Inserts rows into the chain. */
  const append = (entries: readonly AccessEntry[]) =>
    pool.query({
      name: 'access-log-append',
      text: 'select access_log_append($1::jsonb)',
      values: [JSON.stringify(entries.map((entry) => [entryText(entry), entry.ids, entry.names]))],
    })

  /** Writes the waiting rows in groups, until none waits. */
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST)
      try {
        await append(group.map(({ entry }) => entry))
        for (const { done } of group) done()
      } catch (error) {
        fail(group, error)
      }
    }
  }

  /** Refuses the calls of a group whose rows could not be written, and keeps the rows of successful changes for later. */
  function fail(group: readonly Waiting[], error: unknown): void {
    logger.error(
      { err: error },
      'the access log cannot be written; calls that access personal data are refused',
    )
    // A read has not left the server, so it needs no row. A change has been made, so its row is written later.
    const made = group.flatMap(({ entry }) => (entry.act === 'change' && entry.result === '' ? [entry] : []))
    owed = [...(owed ?? []), ...made]
    reason = isDiskFull(error) ? 'DISK_FULL' : 'UNAVAILABLE'
    timer ??= setTimeout(() => void retry(), retryMs).unref()
    for (const { failed } of group) failed(new Refusal(reason, { retryAfterSeconds: RETRY_AFTER_SECONDS }))
  }

  /** Writes the owed rows, and otherwise tries again later. Without owed rows it writes none, as a test. */
  async function retry(): Promise<void> {
    timer = undefined
    const now = owed ?? []
    try {
      await append(now)
      const more = (owed ?? []).slice(now.length)
      owed = more.length > 0 ? more : undefined
      logger.info('the access log can be written again')
    } catch {
      // Reported when it began.
    }
    if (owed !== undefined) timer ??= setTimeout(() => void retry(), retryMs).unref()
  }

  /**
   * Signs and stores the heads. Logs the first failure, and when signing works again; a database that is away is always logged.
   * @throws the error of the database or the file system
   */
  async function keepHeads(): Promise<void> {
    try {
      await signHeads()
      if (isUnsigned) logger.info('the access log can be signed again')
      isUnsigned = false
    } catch (error) {
      // An outage of the database has lines of its own.
      const isAway = error instanceof Error && isDatabaseAway(error)
      if (isAway || !isUnsigned) logger.error({ err: error }, 'the access log cannot be signed')
      isUnsigned ||= !isAway
      throw error
    }
  }

  /** Signs the heads that may still change, and reports the months whose rows do not match. */
  async function signHeads(): Promise<void> {
    const moving = await movingHeads(pool)
    for (const head of moving) report(head.month, await keepHead(heads, head))
    await checkReported(moving)
  }

  /** Checks again the reported months whose heads no longer change, for example after an acceptance. */
  async function checkReported(moving: readonly DatabaseHead[]): Promise<void> {
    const months = [...problems].flatMap(([month, problem]) =>
      problem === '' || !MONTH.test(month) || moving.some((head) => head.month === month) ? [] : [month],
    )
    if (months.length === 0) return
    const [all, kept] = [await headsOf(pool, REPORTED), await keptMonths(dataDir)]
    for (const month of months) {
      const head = all.find((one) => one.month === month)
      if (head !== undefined) report(month, await keepHead(heads, head))
      // A signed month that is missing stays reported.
      else if (!kept.includes(month)) report(month, '')
    }
  }

  /** Copies the heads that may still change, and at first also the others. Reports a failure of the place, and never throws. */
  async function keepCopies(): Promise<void> {
    if (openCopies === undefined) return
    try {
      const copies = await openCopies()
      const moving = await movingHeads(pool)
      const old = areOldCopied ? [] : await keptMonths(dataDir)
      const rest = old.filter((month) => !moving.some((head) => head.month === month))
      const archived = new Set(
        rest.length === 0 ? [] : (await headsOf(pool, rest.length + moving.length)).flatMap(archivedMonth),
      )
      for (const head of [...moving, ...rest.map((month) => ({ month, isArchived: archived.has(month) }))])
        report(`copy of ${head.month}`, await keepCopy(heads, copies, head))
      areOldCopied = true
      report(COPIES, '')
    } catch (error) {
      const why = messageOf(error)
      report(COPIES, `ACCESS_LOG_COPY_URL cannot be used (${why})`)
    }
  }

  /** Stores and logs the problem of a month, once per change. */
  function report(month: string, problem: string): void {
    if ((problems.get(month) ?? '') === problem) return
    problems.set(month, problem)
    if (problem === '') logger.info({ month }, 'the signatures of the access log verify again')
    else if (month === COPIES) logger.error(`the signed heads of the access log are not copied: ${problem}`)
    else logger.error({ month }, `the access log was tampered with: ${problem}`)
  }

  return {
    admit() {
      if (owed !== undefined) refuse(reason, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    },
    write(entry) {
      return new Promise((done, failed) => {
        waiting.push({ entry, done, failed })
        writing ??= writeAll().finally(() => (writing = undefined))
      })
    },
    keepHeads,
    keepCopies,
    problems() {
      const wrong = [...problems].flatMap(([month, problem]) => (problem === '' ? [] : [month]))
      return [
        ...(owed === undefined ? [] : (['accessLogStopped'] as const)),
        ...(isUnsigned ? (['accessLogUnsigned'] as const) : []),
        ...(wrong.some((month) => month !== COPIES) ? (['accessLogTampered'] as const) : []),
        ...(wrong.includes(COPIES) ? (['accessLogNotCopied'] as const) : []),
      ]
    },
    async close() {
      await writing
      clearTimeout(timer)
      if (owed !== undefined) await retry()
      clearTimeout(timer)
      await keepHeads()
        .then(keepCopies)
        .catch(() => {})
    },
  }
}
