import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { Refusal, refuse } from '../../contract/errors.ts'
import { type AccessEntry, entryText } from './access-log/chain.ts'
import { headsOf, keepHead, signingKey } from './access-log/heads.ts'
import { isDiskFull } from './room.ts'

/** The access log (rules/audit#access-log, ADR 103): what is done with personal data, on record before the answer leaves. */
export interface AccessLog {
  /**
   * To be asked before anything is done that has to be on record.
   * @throws {Refusal} UNAVAILABLE or DISK_FULL while nothing can be written
   */
  admit(): void
  /**
   * Writes a row, together with those of other calls that wait at the same moment.
   * @throws {Refusal} the same when it could not be written; that of a change is written as soon as it can be
   */
  write(entry: AccessEntry): Promise<void>
  /** Signs where the chains end, and keeps that in DATA_DIR. */
  keepHeads(): Promise<void>
  /** Waits for what is being written, and signs its end. */
  close(): Promise<void>
}

/** What an access log is made from. */
export interface AccessLogParts {
  pool: pg.Pool
  dataDir: string
  /** Of the key that signs. */
  seed: Buffer
  logger: FastifyBaseLogger
  /** How long it waits to try again; shorter in tests. */
  retryMs?: number
}

/** Rows of one statement. */
const MOST = 200
const RETRY_MS = 1000
const RETRY_AFTER_SECONDS = 5
/** The months whose ends may still move: around midnight this one and the one before. */
const MOVING = 2

interface Waiting {
  entry: AccessEntry
  done: () => void
  failed: (reason: Refusal) => void
}

/** The access log of one process: one statement at a time, with all the rows that came while the one before was written. */
export function createAccessLog({
  pool,
  dataDir,
  seed,
  logger,
  retryMs = RETRY_MS,
}: AccessLogParts): AccessLog {
  const key = signingKey(seed)
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  /** While nothing can be written: the rows of changes that were made, to be written when it can. */
  let owed: AccessEntry[] | undefined
  /** Why not. */
  let reason: 'UNAVAILABLE' | 'DISK_FULL' = 'UNAVAILABLE'
  let timer: NodeJS.Timeout | undefined
  const said = new Set<string>()

  const append = (entries: readonly AccessEntry[]) =>
    pool.query({
      name: 'access-log-append',
      text: 'select access_log_append($1::jsonb)',
      values: [JSON.stringify(entries.map((entry) => [entryText(entry), entry.ids, entry.names]))],
    })

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

  function fail(group: readonly Waiting[], error: unknown): void {
    logger.error({ err: error }, 'the access log cannot be written: calls on personal data are refused')
    // What was only asked for has not left; what was changed stays changed.
    const made = group.flatMap(({ entry }) => (entry.act === 'change' && entry.result === '' ? [entry] : []))
    owed = [...(owed ?? []), ...made]
    reason = isDiskFull(error) ? 'DISK_FULL' : 'UNAVAILABLE'
    timer ??= setTimeout(() => void retry(), retryMs).unref()
    for (const { failed } of group) failed(new Refusal(reason, { retryAfterSeconds: RETRY_AFTER_SECONDS }))
  }

  async function retry(): Promise<void> {
    timer = undefined
    const now = owed ?? []
    try {
      await append(now)
      const more = (owed ?? []).slice(now.length)
      owed = more.length > 0 ? more : undefined
      logger.info('the access log is written again')
    } catch {
      // Said when it began.
    }
    if (owed !== undefined) timer ??= setTimeout(() => void retry(), retryMs).unref()
  }

  async function keepHeads(): Promise<void> {
    for (const head of await headsOf(pool, MOVING)) {
      const problem = head.isArchived ? null : await keepHead(pool, dataDir, key, head)
      if (problem === null || said.has(problem)) continue
      said.add(problem)
      logger.error({ month: head.month }, `the access log was tampered with: ${problem}`)
    }
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
    async close() {
      await writing
      clearTimeout(timer)
      if (owed !== undefined) await retry()
      clearTimeout(timer)
      await keepHeads().catch(() => {})
    },
  }
}
