import type pg from 'pg'
import { archivedMonths, linesOfArchive } from './archive.ts'
import { beginningOf, hasMonthEnded, lineOf, chainHash, rowsOfMonth } from './chain.ts'
import type { Storage } from '../storage.ts'
import { readCopy } from './copies.ts'
import {
  type Head,
  headProblem,
  headsOf,
  isValidHead,
  keptMonths,
  readHead,
  signingKey,
  timeProblem,
} from './heads.ts'

/** Input of a check of the access log. */
export interface VerifyParts {
  pool: pg.Pool
  dataDir: string
  /** Seeds of the signing keys: of the current key secret, then of the previous ones. */
  seeds: readonly Buffer[]
  /** The second place of the signed heads; absent if there is none. */
  copies?: Storage | undefined
}

/** Result of a check of one month. */
export interface MonthFound {
  /** First day of the month, 'YYYY-MM-DD'. */
  month: string
  /** Number of rows that were read before the first problem in the rows. */
  rows: number
  /** First problem of the month, its rows or its signed heads, in one line; '' if there is none. */
  problem: string
}

/** A row as the check reads it, from the database or a file. */
interface Link {
  /** Number of the row in its month, from 1. */
  position: string
  /** Microseconds since 1970. */
  micros: bigint
  /** The row as canonical JSON. */
  line: string
  /** Hash as stored in the database; absent for a file. */
  hash?: Buffer
}

/** Number of months that covers every log. */
const EVERY = 10_000
/** Milliseconds that a row may be ahead of the clock of this machine. */
const AHEAD_MS = 60_000

/**
 * Verifies the whole access log in the database and in the files: the position and hash of every row, and the signed heads in
 * DATA_DIR and their copies. Yields one result per month, oldest first, and none for months that have no rows yet or are erased.
 * Writes nothing.
 * @throws if the database or the second place is unavailable
 */
export async function* verifyLog({ pool, dataDir, seeds, copies }: VerifyParts): AsyncGenerator<MonthFound> {
  const keys = seeds.map(signingKey)
  const heads = new Map((await headsOf(pool, EVERY)).map((head) => [head.month, head]))
  const inDatabase = await partitionsOf(pool)
  const inFiles = new Set(await archivedMonths(dataDir))
  const months = new Set([...heads.keys(), ...inDatabase, ...inFiles, ...(await keptMonths(dataDir))])
  for (const month of [...months].toSorted()) {
    const head = heads.get(month)
    if (head?.isErased) continue
    const kept = await readHead(dataDir, month)
    const copy = copies && (await readCopy(copies, month))
    // A month is signed before it has rows.
    if (
      head === undefined &&
      kept?.position === '0' &&
      (copy?.position ?? '0') === '0' &&
      !inDatabase.has(month)
    )
      continue
    const isInFile = (head?.isArchived && !head.isArchivedEarly) === true || !inDatabase.has(month)
    if (isInFile && !inFiles.has(month)) {
      yield {
        month,
        rows: 0,
        problem:
          (head && headProblem(head)) ||
          'its rows are neither in the database nor in a file of this DATA_DIR',
      }
      continue
    }
    const links = isInFile ? linksOfFile(dataDir, month) : linksOfRows(pool, month)
    const isKnown = kept !== null && kept !== undefined && isValidHead(kept, month, keys)
    const isCopyKnown = copy !== null && copy !== undefined && isValidHead(copy, month, keys)
    // The operator accepted the rows after the copy was made.
    const isCopyOld = isCopyKnown && isKnown && (kept.acceptedAt ?? '') > copy.signedAt
    const signed = [
      ...(isKnown ? [{ ...kept, by: 'signed' }] : []),
      ...(isCopyKnown && !isCopyOld ? [{ ...copy, by: 'signed, by its copy' }] : []),
    ]
    const known = [...signed, ...(head ? [{ ...head, by: 'written' }] : [])]
    const found = await walk(month, links, known).catch((error: Error) => ({
      rows: 0,
      problem: `it cannot be read (${error.message})`,
    }))
    // Rows in files were compared with the signed head when they left the database.
    const isAdded =
      !isInFile && hasMonthEnded(month, Date.now()) && signed.every((end) => rowsAfter(end, found.rows))
    // The partition of the next month exists, and is empty.
    if (found.rows === 0 && found.problem === '' && head === undefined && (kept?.position ?? '0') === '0')
      continue
    yield {
      month,
      rows: found.rows,
      problem:
        found.problem ||
        (head && headProblem(head)) ||
        (kept === null ? 'no signed head of it is kept in DATA_DIR' : '') ||
        (isKnown ? '' : 'the head that is kept in DATA_DIR is damaged, or signed with another key secret') ||
        (isKnown ? timeProblem(kept) : '') ||
        (isAdded ? 'it has rows that were added after its end' : '') ||
        (copies && copy === null ? 'no copy of its signed head is at ACCESS_LOG_COPY_URL' : '') ||
        (copies && !isCopyKnown
          ? 'the copy of its signed head is damaged, or signed with another key secret'
          : '') ||
        (await goesBeyond(pool, month, found.rows)),
    }
  }
}

/** Returns whether a month has more rows than its head counts. */
const rowsAfter = (end: Head, rows: number) => BigInt(rows) > BigInt(end.position)

/**
 * Returns a problem if a check read more rows of a month than the database counts; '' otherwise. The count includes rows that are
 * added during the check.
 */
async function goesBeyond(pool: pg.Pool, month: string, rows: number): Promise<string> {
  const head = (await headsOf(pool, EVERY)).find((each) => each.month === month)
  if (head === undefined) return 'the database does not know where it ends'
  return rows > Number(head.position) ? `it has ${rows} rows, and ${head.position} were written` : ''
}

/**
 * Follows the chain of a month from row to row, and compares it with the known heads.
 * @param known heads that the chain must contain, and by whom: signed, or written by the database
 * @returns the number of rows before the first problem, and the problem; '' if there is none
 */
async function walk(
  month: string,
  links: AsyncIterable<Link>,
  known: readonly (Pick<Head, 'position' | 'hash'> & { by: string })[],
): Promise<{ rows: number; problem: string }> {
  let before = beginningOf(month)
  let rows = 0
  let micros = 0n
  const wrong = (problem: string) => ({ rows, problem })
  for await (const link of links) {
    const place = rows + 1
    if (link.position !== String(place)) return wrong(`row ${place} is missing, or one was put before it`)
    const hash = chainHash(before, link.line)
    if (link.hash !== undefined && !link.hash.equals(hash))
      return wrong(`row ${place} is not as it was written, or stands elsewhere`)
    if (link.micros < micros) return wrong(`row ${place} is older than the one before it`)
    rows = place
    micros = link.micros
    before = hash
    const other = known.find((end) => end.position === link.position && end.hash !== hash.toString('hex'))
    if (other !== undefined) return wrong(`up to row ${place} it is not what was ${other.by}`)
  }
  const further = known.find(({ position }) => BigInt(position) > BigInt(rows))
  if (further !== undefined)
    return wrong(`it ends with row ${rows}, and ${further.position} were ${further.by}`)
  if (micros / 1000n > BigInt(Date.now() + AHEAD_MS))
    return wrong('its last row is ahead of the clock, which was set back')
  return { rows, problem: '' }
}

/** Yields the rows of a month in the database. */
async function* linksOfRows(pool: pg.Pool, month: string): AsyncGenerator<Link> {
  for await (const row of rowsOfMonth(pool, month)) {
    const { position, micros, hash } = row
    yield { position, micros: BigInt(micros), hash, line: lineOf(row) }
  }
}

/** Yields the rows in a month's file, which have no hash. */
async function* linksOfFile(dataDir: string, month: string): AsyncGenerator<Link> {
  for await (const line of linesOfArchive(dataDir, month)) {
    const [, position = '', micros = '0'] = /^\[(\d+),(\d+),/.exec(line) ?? []
    yield { position, micros: BigInt(micros), line }
  }
}

/** Returns the months that have a partition in the database, by their first days. */
async function partitionsOf(pool: pg.Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'access_log'::regclass`,
  )
  return new Set(rows.map(({ name }) => `${name.slice('access_log_'.length).replace('_', '-')}-01`))
}
