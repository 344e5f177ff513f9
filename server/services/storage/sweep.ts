import { LOCK } from '../../db/locks.ts'
import { whileLocked } from '../../db/one-connection.ts'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { incomingFile, type Storage } from '../storage.ts'

/** How long files of no more use are kept; zero in tests. */
export interface KeepFor {
  /** Uploads that nobody goes on with. */
  uploadHours: number
  /** Files that were deleted or replaced (ADR 015). */
  discardedDays: number
  /** Files that no row names, before they are reported; they are never removed. */
  unknownHours: number
}

export const KEEP_FOR: KeepFor = { uploadHours: 24, discardedDays: 7, unknownHours: 24 }

/** What a sweep did. */
export interface Swept {
  removed: number
  /** Rows whose file is gone. */
  missing: number
}

/**
 * Removes files that were given up, deleted or replaced, tells of those that no row names, and marks the rows whose
 * file is gone; one server at a time.
 * @returns undefined when another server sweeps, and when the storage belongs to another database: to that one's files
 *   no row of this one would ever fit
 */
export async function sweepFiles(
  pool: pg.Pool,
  storage: Storage,
  logger: FastifyBaseLogger,
  keep: KeepFor = KEEP_FOR,
): Promise<Swept | undefined> {
  return whileLocked(pool, LOCK.fileSweep, async (stillMine) => {
    const { rows } = await pool.query<{ id: string }>('select id from installation')
    const own = rows[0]?.id ?? ''
    const owner = await storage.owner(own)
    if (owner !== own) {
      logger.error({ owner, own }, 'the storage holds the files of another database and is not swept')
      return undefined
    }
    const removed = (await removeUploads(pool, storage, keep)) + (await removeDiscarded(pool, storage, keep))
    await stillMine()
    const found = await listFiles(pool, storage, logger, keep)
    await stillMine()
    return { removed, missing: await markMissing(pool, storage, logger, found) }
  })
}

interface Row {
  id: string
  save_path: string
  save_file_name: string
}

/** Uploads that were given up, or that nobody has touched for long; taken first, so that nobody goes on with them. */
async function removeUploads(pool: pg.Pool, storage: Storage, keep: KeepFor): Promise<number> {
  const { rows } = await pool.query<Row & { storage_state: string }>(
    `update uploads set cancelled = true
      where finished_at is null and coalesce(held_until < now(), true)
        and (cancelled or touched_at <= now() - make_interval(hours => $1))
      returning id, save_path, save_file_name, storage_state`,
    [keep.uploadHours],
  )
  for (const row of rows) {
    const file = incomingFile({ path: row.save_path, name: row.save_file_name })
    file.state = row.storage_state
    await storage.abandon(file)
    await pool.query('delete from uploads where id = $1', [row.id])
  }
  // As long as its bytes are kept, the row says whose they were (rules/files#room).
  await pool.query(`delete from uploads u where finished_at < now() - interval '1 day'
    and not exists (select from notice_files f where f.id = u.id)
    and not exists (select from discarded_files d where d.id = u.id)`)
  return rows.length
}

async function removeDiscarded(pool: pg.Pool, storage: Storage, keep: KeepFor): Promise<number> {
  const { rows } = await pool.query<Row>(
    `select id, save_path, save_file_name from discarded_files
      where discarded_at <= now() - make_interval(days => $1)`,
    [keep.discardedDays],
  )
  for (const row of rows) {
    await storage.remove({ path: row.save_path, name: row.save_file_name })
    await pool.query('delete from discarded_files where id = $1', [row.id])
  }
  return rows.length
}

const told = new WeakSet<Storage>()

/**
 * Lists the files, and says once of each storage that it holds some which no row names. Maru writes the row first, so
 * they are a stranger's, or those of a newer state of this database, of which this one is a backup or a copy: they
 * stay (ADR 030).
 */
async function listFiles(
  pool: pg.Pool,
  storage: Storage,
  logger: FastifyBaseLogger,
  keep: KeepFor,
): Promise<Set<string>> {
  const found = new Set<string>()
  let count = 0
  let example: string | undefined
  const before = Date.now() - keep.unknownHours * 3_600_000
  for await (const { path, files } of storage.list()) {
    for (const name of files.keys()) found.add(`${path}/${name}`)
    if (told.has(storage)) continue
    const old = [...files].filter(([, at]) => at.getTime() <= before).map(([name]) => name)
    const { rows } = await pool.query<{ name: string }>(
      `select name from unnest($2::text[]) as name
        where not exists (select 1 from notice_files where save_path = $1 and save_file_name = name)
          and not exists (select 1 from uploads where save_path = $1 and save_file_name = name)
          and not exists (select 1 from discarded_files where save_path = $1 and save_file_name = name)`,
      [path, old],
    )
    count += rows.length
    example ??= rows[0] && `${path}/${rows[0].name}`
  }
  if (count > 0) {
    told.add(storage)
    logger.warn({ count, example }, 'the storage holds files that no row names; they are left alone')
  }
  return found
}

/** Looks for the file of every row; one stored after the listing is looked up by itself. */
async function markMissing(
  pool: pg.Pool,
  storage: Storage,
  logger: FastifyBaseLogger,
  found: ReadonlySet<string>,
): Promise<number> {
  const { rows } = await pool.query<Row & { notice_id: string; missing_since: Date | null }>(
    'select id, notice_id, save_path, save_file_name, missing_since from notice_files',
  )
  let missing = 0
  for (const row of rows) {
    const isThere =
      found.has(`${row.save_path}/${row.save_file_name}`) ||
      (await storage.sizeOf({ path: row.save_path, name: row.save_file_name })) !== null
    if (!isThere) missing += 1
    if (isThere === (row.missing_since === null)) continue
    await pool.query(
      'update notice_files set missing_since = case when $2 then null else now() end where id = $1',
      [row.id, isThere],
    )
    if (!isThere) {
      logger.error(
        { fileId: row.id, noticeId: row.notice_id },
        'the file of a notice is gone from the storage',
      )
    }
  }
  return missing
}
