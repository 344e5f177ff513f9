import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { PersonalAct } from '../../../contract/endpoint.ts'

/** Contents of an access-log row before it gets its place in the chain. */
export interface AccessEntry {
  act: PersonalAct
  /** The path of the call. */
  call: string
  /** users.id; null where nobody is signed in. */
  actorId: string | null
  /** The login ID, as it was then or as it was tried; '' without one. */
  actor: string
  address: string
  requestId: string
  /** '' for a success, else the code of the refusal. */
  result: string
  /** Which filters a search had, by their names. */
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

/** A row in the chain. */
export interface ChainedRow extends Omit<AccessEntry, 'ids' | 'names'> {
  position: string
  /** Since 1970, in microseconds. */
  micros: string
  subjects: readonly string[]
  /** With null in rows of before migration 082, where somebody tried or is called `null`. */
  named: readonly (string | null)[]
  hash: Buffer
}

/** A row as canonical JSON, which is what is hashed and what an archive holds; `access_log_append` writes the same. */
export function lineOf(row: ChainedRow): string {
  const { position, micros, subjects, named } = row
  return `[${position},${micros},${entryText(row).slice(1, -1)},[${subjects.join(',')}],${JSON.stringify(named)}]`
}

/** Where the chain of a month begins: 'YYYY-MM-DD' of its first day. */
export function beginningOf(month: string): Buffer {
  return createHash('sha256').update(`maru access log ${month}`).digest()
}

/** Time in which the last rows of a month are still signed after its end. The clocks of servers and database may differ. */
const SIGNED_FOR_MS = 5 * 60_000
const SEOUL_MS = 9 * 3_600_000

/** Returns whether a month had ended at a time, and its last rows were to be signed by then. */
export function isOver(month: string, at: number): boolean {
  const [year = NaN, number = NaN] = month.split('-').map(Number)
  return at > Date.UTC(year, number) - SEOUL_MS + SIGNED_FOR_MS
}

/** The hash of a row: of the hash before it, and of its line. */
export function linked(before: Buffer, line: string): Buffer {
  return createHash('sha256').update(before).update(line).digest()
}

const ROWS_AT_ONCE = 5000

/** The rows of a month in their order, some thousand at once: no transaction is held open for them. */
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
