import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { ErrorCode } from '../../contract/errors.ts'

/** Kind of a refusal (rules/audit#refusals). */
export type RefusalKind =
  Extract<AuditAction, `refusal.${string}`> extends `refusal.${infer Kind}` ? Kind : never

/** Refusal that is to be recorded. */
export interface RefusalTrace {
  kind: RefusalKind
  code: ErrorCode
  /** Path of the call. */
  call: string
  /** Audit action that the call would have recorded. */
  action: AuditAction | undefined
  address: string
  /** Network of the address, by which refusals are counted. */
  network: string
  requestId: string
  /** The caller; without `userId` if the session was not looked up. */
  person: { id: string; userId?: string } | undefined
  /** Login ID that a caller without a session tried; '' if the text cannot be an ID, undefined if there is none. */
  triedId: string | undefined
}

/** Recorder of refusals. Rows that exceed its limits are counted instead. */
export interface RefusalRecords {
  /** Logs a refusal. Also writes or counts it in the audit log if it has a user or a tried login ID. Does not wait for the write. */
  add(trace: RefusalTrace): void
  /** Writes the counts that are not written yet, and waits for all writes. */
  close(): Promise<void>
}

/** Most rows per kind and minute for one ID or user, and for one network. */
const ROWS_OF_ONE = 10
/** Most rows per kind and minute in total. */
const ROWS = 100
/** Most rows with a count per kind and minute, besides one for all further refusals. */
const SUMS = 20
/** Most log lines per minute. */
const LINES = 600
/** Milliseconds of the minute in which refusals are counted. */
const MINUTE_MS = 60_000

/** Row of the audit log about a refusal. */
type Row = Pick<RefusalTrace, 'kind' | 'address' | 'requestId'> & {
  actorId: string | null
  target: string
  detail: Record<string, unknown>
}

/** Rows of one kind of refusal that were written in this minute, and counts of the others. */
interface Minute {
  rows: number
  counts: Map<string, number>
  /** Counts of the refusals without a row of their own, by their common fields. */
  sums: Map<string, Row & { detail: { times: number } }>
}

/**
 * Creates the recorder of a server. Logs each refusal up to LINES per minute. Refusals beyond the limits become rows with a
 * count, one per network or user and minute. A row that cannot be written is only logged.
 * @param minuteMs milliseconds of that minute; shorter in tests
 */
export function createRefusalRecords(
  pool: pg.Pool,
  log: FastifyBaseLogger,
  minuteMs = MINUTE_MS,
): RefusalRecords {
  let minutes = new Map<RefusalKind, Minute>()
  let lines = 0
  let timer: NodeJS.Timeout | undefined
  let written = Promise.resolve()

  /** Queues the insert of a row. A failure is only logged. */
  function write({ kind, actorId, target, detail, address, requestId }: Row): void {
    const row = {
      name: 'record-refusal',
      text: `insert into audit_log (action, actor_id, target, detail, address, request_id)
        values ($1, $2, $3, $4, $5, $6)`,
      values: [`refusal.${kind}`, actorId, target, JSON.stringify(detail), address, requestId],
    }
    // One write at a time, so that refusals use only one of the connections, which are for calls.
    written = written.then(async () => {
      await pool
        .query(row)
        .catch((error: unknown) =>
          log.error({ err: error }, 'a refusal could not be written to the audit log'),
        )
    })
  }

  /** Returns the state of a kind in this minute, and makes sure that the minute ends. */
  function minuteOf(kind: RefusalKind): Minute {
    timer ??= setTimeout(sumUp, minuteMs).unref()
    const minute = minutes.get(kind) ?? { rows: 0, counts: new Map(), sums: new Map() }
    minutes.set(kind, minute)
    return minute
  }

  /** Ends the minute: writes the rows with counts. */
  function sumUp(): void {
    clearTimeout(timer)
    timer = undefined
    if (lines > LINES) log.info({ refusals: lines - LINES }, 'further refusals were not logged one by one')
    for (const { sums } of minutes.values()) for (const sum of sums.values()) write(sum)
    minutes = new Map()
    lines = 0
  }

  /** Writes the row of a refusal, or counts it if a limit is reached. */
  function put(trace: RefusalTrace): void {
    const { kind, code, call, action, address, network, requestId, person, triedId = '' } = trace
    const minute = minuteOf(kind)
    const actorId = person?.id ?? null
    const who = person === undefined ? triedId : `person ${person.id}`
    // A guessed password concerns the account. Other refusals concern no known record.
    const isGuess = kind === 'password' || kind === 'lock'
    const target = person === undefined ? triedId : isGuess ? (person.userId ?? '') : ''
    const isOver = (key: string) => {
      const count = (minute.counts.get(key) ?? 0) + 1
      minute.counts.set(key, count)
      return count > ROWS_OF_ONE
    }
    const base = { kind, requestId: '', actorId: null, target: '', address: '' }
    const count = (key: string, common: Partial<Row>) => {
      const isOneMore = minute.sums.has(key) || minute.sums.size < SUMS
      const place = isOneMore ? key : ''
      const sum = minute.sums.get(place) ?? { ...base, ...(isOneMore && common), detail: { times: 0 } }
      sum.detail.times += 1
      minute.sums.set(place, sum)
    }
    if (isOver(`from ${network}`)) return count(`from ${network}`, { address })
    if (who !== '' && isOver(`of ${who}`)) return count(`of ${who}`, { target, actorId })
    if (minute.rows >= ROWS) return count('', {})
    minute.rows += 1
    const tried = action === undefined ? { call } : { attempted: action }
    write({ kind, actorId, target, detail: { refusal: code, ...tried }, address, requestId })
  }

  return {
    add(trace) {
      const { kind, code, call, address, requestId, person, triedId } = trace
      lines += 1
      const userId = person?.userId ?? triedId
      if (lines <= LINES)
        log.info({ refusal: kind, code, userId, address, reqId: requestId, call }, 'refused')
      timer ??= setTimeout(sumUp, minuteMs).unref()
      // Refusals of anonymous callers are only logged and counted.
      if (person !== undefined || triedId !== undefined) put(trace)
    },
    async close() {
      sumUp()
      await written
    },
  }
}
