import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { PersonalAct } from '../../../contract/endpoint.ts'

/** Contents of an access-log row before it gets its place in the chain. */
export interface AccessEntry {
  act: PersonalAct
  /** Path of the call. */
  call: string
  /** users.id; null if no user is logged in. */
  actorId: string | null
  /** Login ID at the time of the access, or the ID that was tried; '' if there is none. */
  actor: string
  address: string
  requestId: string
  /** '' for a success, otherwise the code of the refusal. */
  result: string
  /** Names of the filters of a search, and the caller's token. */
  detail: string
  /** Data subjects: users.id, and login IDs, which the database resolves. */
  ids: readonly string[]
  names: readonly string[]
}

/** Returns the part of an entry that goes into the chain, as JSON. */
export function entryText(entry: Omit<AccessEntry, 'ids' | 'names'>): string {
  const { act, call, actorId, actor, address, requestId, result, detail } = entry
  return JSON.stringify([act, call, actorId, actor, address, requestId, result, detail])
}

/** Row of the access log in the chain. */
export interface ChainedRow extends Omit<AccessEntry, 'ids' | 'names'> {
  /** Number of the row in its month, from 1. */
  position: string
  /** Microseconds since 1970. */
  micros: string
  /** Data subjects, by users.id. */
  subjects: readonly string[]
  /**
   * Login IDs of data subjects that no user had. Contains null in rows from before migration 082, if the tried or actual login ID
   * is `null`.
   */
  named: readonly (string | null)[]
  /** Hash of this row and of the row before it. */
  hash: Buffer
}

/** Returns a row as canonical JSON. This text is hashed and archived; `access_log_append` writes the same. */
export function lineOf(row: ChainedRow): string {
  const { position, micros, subjects, named } = row
  return `[${position},${micros},${entryText(row).slice(1, -1)},[${subjects.join(',')}],${JSON.stringify(named)}]`
}

/**
 * Returns the hash that the chain of a month begins with.
 * @param month first day, 'YYYY-MM-DD'
 */
export function beginningOf(month: string): Buffer {
  return createHash('sha256').update(`maru access log ${month}`).digest()
}

/**
 * Milliseconds after the end of a month in which its last rows are still signed. The clocks of servers and database may differ.
 */
const SIGNED_FOR_MS = 5 * 60_000
/** Milliseconds by which the time in Seoul is ahead of UTC. */
const SEOUL_MS = 9 * 3_600_000

/**
 * Returns whether a month (Asia/Seoul) ended more than 5 minutes before a time, so that its last rows had to be signed.
 * @param month first day, 'YYYY-MM-DD'
 * @param at milliseconds since 1970
 */
export function hasMonthEnded(month: string, at: number): boolean {
  const [year = NaN, number = NaN] = month.split('-').map(Number)
  return at > Date.UTC(year, number) - SEOUL_MS + SIGNED_FOR_MS
}

/** Returns the hash of a row, from the hash of the row before and the row's line. */
export function chainHash(before: Buffer, line: string): Buffer {
  return createHash('sha256').update(before).update(line).digest()
}

/** Rows that `rowsOfMonth` reads per query. */
const ROWS_AT_ONCE = 5000

/**
 * Yields the rows of a month by position, 5,000 per query, so that no transaction stays open.
 * @param month first day, 'YYYY-MM-DD'
 */
export async function* rowsOfMonth(pool: pg.Pool, month: string): AsyncGenerator<ChainedRow> {
  let last = '-9223372036854775808'
  for (;;) {
    const { rows } = await pool.query<ChainedRow>(
      `select position, (extract(epoch from at) * 1000000)::bigint as micros, act, call, actor_id as "actorId", actor, address,
        request_id as "requestId", result, detail, subjects, named, hash
      from access_log where month = $1 and position > $2 order by position limit ${ROWS_AT_ONCE}`,
      [month, last],
    )
    yield* rows
    last = rows.at(-1)?.position ?? last
    if (rows.length < ROWS_AT_ONCE) return
  }
}
