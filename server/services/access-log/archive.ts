import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type pg from 'pg'
import { LOCK } from '../../db/locks.ts'
import { withAdvisoryLock } from '../../db/one-connection.ts'
import { makeFolder, syncFolder } from '../../durable-files.ts'
import { beginningOf, chainHash, lineOf, rowsOfMonth } from './chain.ts'
import { type Head, keepHead, logFolder, signingKey } from './heads.ts'

/**
 * Returns the path of the file of a month that is no longer in the database: its rows as canonical JSON, one per line.
 */
const archiveFile = (dataDir: string, month: string) =>
  join(logFolder(dataDir), `${month.slice(0, 7)}.jsonl.zst`)

/** Returns the first days, 'YYYY-MM-DD', of the months that are in files. */
export async function archivedMonths(dataDir: string): Promise<string[]> {
  const files = await readdir(logFolder(dataDir)).catch(() => [])
  return files.flatMap((file) => (/^\d{4}-\d\d\.jsonl\.zst$/.test(file) ? [`${file.slice(0, 7)}-01`] : []))
}

/**
 * Reads the rows in a month's file as lines of canonical JSON (`lineOf`). Iterating throws if the file is missing or damaged.
 * @param month first day, 'YYYY-MM-DD'
 */
export function linesOfArchive(dataDir: string, month: string): AsyncIterable<string> {
  const file = createReadStream(archiveFile(dataDir, month))
  const text = createZstdDecompress()
  // `pipe` does not forward errors.
  file.on('error', (error) => text.destroy(error))
  return createInterface({ input: file.pipe(text), crlfDelay: Infinity })
}

/** Input of archiving months into files. */
export interface ArchiveParts {
  pool: pg.Pool
  dataDir: string
  /** Seed of the key that signs the heads. */
  seed: Buffer
  /** Number of months before the current one that stay in the database. */
  months: number
}

/**
 * Creates the partitions of this month and the next, moves months that have been in the database long enough into files, and
 * removes the files of erased months. Only one server does this at a time. A month leaves the database after its file was read
 * back and ends with the last row of its chain.
 * @returns the first days of the months that were moved into files; empty if another server does this now
 * @throws {Error} if a month cannot be moved; it stays in the database
 */
export async function archiveMonths({ pool, dataDir, seed, months }: ArchiveParts): Promise<string[]> {
  await pool.query('select access_log_ahead()')
  const archived = await withAdvisoryLock(pool, LOCK.accessLog, async (assertLockHeld) => {
    const { rows } = await pool.query<Head>(
      `select month, position, encode(hash, 'hex') as hash from access_log_heads
        where archived_at is null and month < date_trunc('month', now() at time zone 'Asia/Seoul') - make_interval(months => $1)
        order by month`,
      [months],
    )
    for (const head of rows) {
      await assertLockHeld()
      await archive(pool, dataDir, seed, head)
    }
    await removeErased(pool, dataDir)
    return rows.map(({ month }) => month)
  })
  return archived ?? []
}

/**
 * Deletes the files of months that the database marks as erased. A server that stopped in between finishes this at its
 * next start.
 */
async function removeErased(pool: pg.Pool, dataDir: string): Promise<void> {
  const { rows } = await pool.query<Pick<Head, 'month'>>(
    'select month from access_log_heads where erased_at is not null',
  )
  for (const { month } of rows) await rm(archiveFile(dataDir, month), { force: true })
}

/**
 * Moves a month into its file, and drops its partition.
 * @throws {Error} if the file does not end where the chain does, or the rows do not match the signed head
 */
async function archive(pool: pg.Pool, dataDir: string, seed: Buffer, head: Head): Promise<void> {
  const { month, position, hash } = head
  const path = archiveFile(dataDir, month)
  await makeFolder(logFolder(dataDir))
  const unfinished = `${path}.unfinished`
  await rm(unfinished, { force: true })
  const lines = Readable.from(linesOfRows(pool, month))
  await pipeline(
    lines,
    createZstdCompress(),
    createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true }),
  )
  await rename(unfinished, path)
  await syncFolder(logFolder(dataDir))
  const end = await endOf(linesOfArchive(dataDir, month), month)
  if (end.position !== position || end.hash !== hash)
    throw new Error(`The access log of ${month} does not end where its chain does: it stays in the database`)
  const problem = await keepHead({ pool, dataDir, keys: [signingKey(seed)], memory: new Map() }, head)
  if (problem !== '') throw new Error(`The access log of ${month} stays in the database: ${problem}`)
  await pool.query(`select access_log_drop($1, $2, decode($3, 'hex'))`, [month, position, hash])
}

/** Yields the rows of a month in the database as lines of the file. */
async function* linesOfRows(pool: pg.Pool, month: string): AsyncGenerator<string> {
  for await (const row of rowsOfMonth(pool, month)) yield `${lineOf(row)}\n`
}

/** Returns the number of rows in a month's file, and the hash of the last one. */
async function endOf(lines: AsyncIterable<string>, month: string): Promise<Omit<Head, 'month'>> {
  let hash = beginningOf(month)
  let count = 0
  for await (const line of lines) {
    count += 1
    hash = chainHash(hash, line)
  }
  return { position: String(count), hash: hash.toString('hex') }
}
