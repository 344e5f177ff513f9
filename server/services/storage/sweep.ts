import { LOCK } from '../../db/locks.ts'
import { whileLocked } from '../../db/one-connection.ts'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { UPLOAD_HOURS } from '../../../contract/notices.ts'
import { incomingFile, type Storage } from '../storage.ts'
import { listFiles, type Found } from './found.ts'
import { moveMark, standingOf } from './mark.ts'

/** How long files of no more use are kept; zero in tests. */
export interface KeepFor {
  /** Uploads, from their beginning. */
  uploadHours: number
  /** Files that were deleted or replaced (ADR 015). */
  discardedDays: number
  /** Files in quarantine: the scanner found something in them, or no row names them. */
  quarantineDays: number
  /** Files that no row names, before they go into quarantine. */
  unknownHours: number
  /** Since the last sweep, whichever server's: a storage of many files is listed no more often. */
  everyMinutes: number
}

export const KEEP_FOR: KeepFor = {
  uploadHours: UPLOAD_HOURS,
  discardedDays: 7,
  quarantineDays: 30,
  unknownHours: 24,
  everyMinutes: 0,
}

/** What a sweep did. */
export interface Swept {
  removed: number
  /** Rows whose file is gone. */
  missing: number
}

/** Why a sweep touched nothing (rules/files#storage-mark, rules/files#quarantine). */
export type Stopped = 'owner' | 'mark' | 'mass'

const WHY: Record<Stopped, string> = {
  owner: 'the storage holds the files of another database and is not swept',
  mark: 'this database is not the one that swept the storage last: a restored or copied one, or the storage is another; nothing is removed until somebody decides (npm run check)',
  mass: 'the storage holds too many files that no row names to be a few strays: nothing is removed until somebody decides (npm run check)',
}

/**
 * Removes files that were given up, deleted or replaced, puts aside those that no row names, and marks the rows whose
 * file is gone; one server at a time, and only while database and storage know each other.
 * @returns undefined when another server sweeps or has just done so, and when the storage belongs to another database:
 *   to that one's files no row of this one would ever fit
 */
export async function sweepFiles(
  pool: pg.Pool,
  storage: Storage,
  logger: FastifyBaseLogger,
  keepFor: Partial<KeepFor> = {},
): Promise<Swept | undefined> {
  const keep = { ...KEEP_FOR, ...keepFor }
  return whileLocked(pool, LOCK.fileSweep, async (stillMine) => {
    const { own, acceptedAt, now, isRecent } = await openState(pool, keep)
    if (isRecent) return undefined
    const owner = await storage.owner(own)
    const stop = async (why: Stopped, about: object) => {
      logger.error({ ...about, why }, WHY[why])
      await pool.query('update storage_mark set stopped = $1, swept_at = now()', [why])
    }
    if (owner !== own) {
      await stop('owner', { owner, own })
      return undefined
    }
    const standing = await standingOf(pool, storage)
    const found = await listFiles(pool, storage, acceptedAt, keep.unknownHours)
    await stillMine()
    const missing = await markMissing(pool, storage, logger, found.kept)
    const unnamed = found.unknown.length + found.quarantined.filter(({ isNamed }) => !isNamed).length
    await pool.query('update storage_mark set unnamed = $1', [unnamed])
    await stillMine()
    const example = found.unknown[0] && `${found.unknown[0].path}/${found.unknown[0].name}`
    const why = standing === 'differs' ? 'mark' : isMass(found) ? 'mass' : null
    if (why !== null) {
      await stop(why, { unnamed, files: found.kept.size, example })
      return { removed: 0, missing }
    }
    if (example !== undefined)
      logger.warn(
        { count: found.unknown.length, example },
        'files that no row names were put into quarantine (npm run check lists them)',
      )
    const removed =
      (await removeUploads(pool, storage, keep)) +
      (await removeDiscarded(pool, storage, keep)) +
      (await setAside(storage, found, now, keep))
    await moveMark(pool, storage)
    await pool.query('update storage_mark set stopped = null, swept_at = now()')
    return { removed, missing }
  })
}

interface State {
  own: string
  acceptedAt: Date | null
  /** As the database has it. */
  now: Date
  isRecent: boolean
}

async function openState(pool: pg.Pool, { everyMinutes }: KeepFor): Promise<State> {
  await pool.query('insert into storage_mark default values on conflict do nothing')
  const { rows } = await pool.query<State>(
    `select id as own, accepted_at as "acceptedAt", now() as now,
      coalesce(swept_at > now() - make_interval(mins => $1), false) as "isRecent" from installation, storage_mark`,
    [everyMinutes],
  )
  return rows[0] ?? { own: '', acceptedAt: null, now: new Date(), isRecent: false }
}

// Maru writes the row before the first byte: a file without one comes of a hand in the database or in the storage, or of two
// that do not belong together. A hand makes few. A tenth of a hundred files is as much as a tenth of a small company's, and a
// hundred is more than anybody removes by hand, of however many.
const FEW = 10
const PART = 0.05
const MANY = 100

/** Whether so many files are without a row that something else must be wrong. */
function isMass({ kept, strange }: Found): boolean {
  return strange > MANY || (strange > FEW && strange > kept.size * PART)
}

/** @returns how many files were removed for good */
async function setAside(
  storage: Storage,
  { unknown, quarantined }: Found,
  now: Date,
  { quarantineDays }: KeepFor,
): Promise<number> {
  for (const key of unknown) await storage.quarantine(key, now)
  let removed = 0
  for (const { key, since, isNamed } of quarantined) {
    if (isNamed) await storage.release(key)
    else if (since.getTime() <= now.getTime() - quarantineDays * 86_400_000) {
      await storage.remove(key, 'quarantine')
      removed += 1
    }
  }
  return removed
}

interface Row {
  id: string
  save_path: string
  save_file_name: string
}

/** Uploads that were given up, or whose time is over; taken first, so that nobody goes on with them. */
async function removeUploads(pool: pg.Pool, storage: Storage, keep: KeepFor): Promise<number> {
  const { rows } = await pool.query<Row & { storage_state: string }>(
    `update uploads set cancelled = true
      where finished_at is null and coalesce(held_until < now(), true)
        and case when quarantined_at is null then cancelled or created_at <= now() - make_interval(hours => $1)
          else quarantined_at <= now() - make_interval(days => $2) end
      returning id, save_path, save_file_name, storage_state`,
    [keep.uploadHours, keep.quarantineDays],
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
