import { LOCK } from '../../db/locks.ts'
import { withAdvisoryLock } from '../../db/one-connection.ts'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { UPLOAD_HOURS } from '../../../contract/notices.ts'
import { incomingFile, type Storage } from '../storage.ts'
import { listStorage, type StorageListing } from './listing.ts'
import { rotateMark, getPairingState } from './pairing.ts'

/** Retention of files that are no longer used; zero in tests. */
export interface SweepRetention {
  /** Hours until an unfinished upload is deleted. */
  uploadHours: number
  /** Days until a deleted or replaced file is removed from the storage (design/uploads-and-files#rows-before-bytes). */
  discardedDays: number
  /** Days until an infected or orphaned file is removed from the quarantine. */
  quarantineDays: number
  /** Hours until an orphaned file goes into quarantine. */
  orphanHours: number
  /** Minimum minutes between two sweeps of any server, because listing a large storage is slow. */
  everyMinutes: number
}

/** Default retention. */
export const SWEEP_RETENTION: SweepRetention = {
  uploadHours: UPLOAD_HOURS,
  discardedDays: 7,
  quarantineDays: 30,
  orphanHours: 24,
  everyMinutes: 0,
}

/** Result of a sweep: the number of deleted uploads and files, and of rows whose file is missing. */
export interface SweepResult {
  removed: number
  missing: number
}

/**
 * Reason why a sweep has deleted nothing (rules/files#storage-mark, rules/files#quarantine): the storage belongs to another
 * installation (`owner`), is not paired with this database (`mark`), or has too many orphans (`mass`).
 */
export type SweepStopReason = 'owner' | 'mark' | 'mass'

/** Log message of each reason. */
const WHY: Record<SweepStopReason, string> = {
  owner: 'the storage holds the files of another database and is not swept',
  mark: 'this database is not the one that swept the storage last: a restored or copied one, or the storage is another; nothing is deleted until an operator decides; the command check shows how',
  mass: 'the storage has too many files that no row names: nothing is deleted until an operator decides; the command check shows how',
}

/**
 * Deletes files of canceled uploads and deleted or replaced files, quarantines orphaned files, deletes those whose time in
 * quarantine is up, and marks the rows whose file is missing. One server sweeps at a time, and deletes only if database and
 * storage are paired. If not, or with too many orphans, it stores and logs the reason, and deletes nothing.
 * @returns undefined if another server sweeps or has just swept, or if the storage belongs to another installation
 */
export async function sweepFiles(
  pool: pg.Pool,
  storage: Storage,
  logger: FastifyBaseLogger,
  overrides: Partial<SweepRetention> = {},
): Promise<SweepResult | undefined> {
  const retention = { ...SWEEP_RETENTION, ...overrides }
  return withAdvisoryLock(pool, LOCK.fileSweep, async (assertLockHeld) => {
    const { own, acceptedAt, now, isRecent } = await openState(pool, retention)
    if (isRecent) return undefined
    const owner = await storage.owner(own)
    const stop = async (why: SweepStopReason, about: object) => {
      logger.error({ ...about, why }, WHY[why])
      await pool.query('update storage_mark set stopped = $1, swept_at = now()', [why])
    }
    if (owner !== own) {
      await stop('owner', { owner, own })
      return undefined
    }
    const pairing = await getPairingState(pool, storage)
    const listing = await listStorage(pool, storage, acceptedAt, retention.orphanHours)
    await assertLockHeld()
    const missing = await markMissing(pool, storage, logger, listing.files)
    const unnamed = listing.orphans.length + listing.quarantined.filter(({ isNamed }) => !isNamed).length
    await pool.query('update storage_mark set unnamed = $1', [unnamed])
    await assertLockHeld()
    const [orphan] = listing.orphans
    const example = orphan && `${orphan.path}/${orphan.name}`
    const why = pairing === 'differs' ? 'mark' : hasTooManyOrphans(listing) ? 'mass' : null
    if (why !== null) {
      await stop(why, { unnamed, files: listing.files.size, example })
      return { removed: 0, missing }
    }
    if (example !== undefined)
      logger.warn(
        { count: listing.orphans.length, example },
        'orphaned files were quarantined; the command check lists them',
      )
    const removed =
      (await removeUploads(pool, storage, retention)) +
      (await removeDiscarded(pool, storage, retention)) +
      (await updateQuarantine(storage, listing, now, retention))
    await rotateMark(pool, storage)
    await pool.query('update storage_mark set stopped = null, swept_at = now()')
    return { removed, missing }
  })
}

/** State of the last sweep. */
interface State {
  /** installation.id of this database. */
  own: string
  /** Time at which an operator last accepted the storage; null for never. */
  acceptedAt: Date | null
  /** Time of the database. */
  now: Date
  /** True if the last sweep was less than `everyMinutes` ago. */
  isRecent: boolean
}

/**
 * Reads the state of the last sweep; `own` is installation.id, and `isRecent` is true if that sweep was less than `everyMinutes`
 * ago.
 */
async function openState(pool: pg.Pool, { everyMinutes }: SweepRetention): Promise<State> {
  await pool.query('insert into storage_mark default values on conflict do nothing')
  const { rows } = await pool.query<State>(
    `select id as own, accepted_at as "acceptedAt", now() as now,
      coalesce(swept_at > now() - make_interval(mins => $1), false) as "isRecent" from installation, storage_mark`,
    [everyMinutes],
  )
  return rows[0] ?? { own: '', acceptedAt: null, now: new Date(), isRecent: false }
}

/**
 * Number of orphans that a person may have made by a change of database or storage. Maru writes the row before the first byte,
 * so many orphans mean that the two do not belong together.
 */
const FEW = 10
/** Share of all files in use that more than FEW orphans may be. */
const MAX_SHARE = 0.05
/** Number of orphans that are too many for any storage. */
const MANY = 100

/** Returns whether there are too many orphans for changes by hand: over MANY, or over FEW and a share of MAX_SHARE. */
function hasTooManyOrphans({ files, unacceptedCount }: StorageListing): boolean {
  return unacceptedCount > MANY || (unacceptedCount > FEW && unacceptedCount > files.size * MAX_SHARE)
}

/**
 * Quarantines orphans, releases files that a row names again, and deletes those whose time in quarantine is up.
 * @returns the number of deleted files
 */
async function updateQuarantine(
  storage: Storage,
  { orphans, quarantined }: StorageListing,
  now: Date,
  { quarantineDays }: SweepRetention,
): Promise<number> {
  for (const key of orphans) await storage.quarantine(key, now)
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

/** Location of a file in the storage, as a row names it. */
interface Row {
  id: string
  save_path: string
  save_file_name: string
}

/**
 * Deletes canceled and expired uploads, and infected ones whose time in quarantine is up. Cancels them first, so that no client
 * continues them.
 * @returns the number of uploads
 */
async function removeUploads(pool: pg.Pool, storage: Storage, retention: SweepRetention): Promise<number> {
  const { rows } = await pool.query<Row & { storage_state: string }>(
    `update uploads set cancelled = true
      where finished_at is null and coalesce(held_until < now(), true)
        and case when quarantined_at is null then cancelled or created_at <= now() - make_interval(hours => $1)
          else quarantined_at <= now() - make_interval(days => $2) end
      returning id, save_path, save_file_name, storage_state`,
    [retention.uploadHours, retention.quarantineDays],
  )
  for (const row of rows) {
    const file = incomingFile({ path: row.save_path, name: row.save_file_name })
    file.state = row.storage_state
    await storage.abandon(file)
    await pool.query('delete from uploads where id = $1', [row.id])
  }
  // While its bytes are stored, the row counts them for its user (rules/files#room).
  await pool.query(`delete from uploads u where finished_at < now() - interval '1 day'
    and not exists (select from notice_files f where f.id = u.id)
    and not exists (select from discarded_files d where d.id = u.id)`)
  return rows.length
}

/**
 * Deletes the files of notices that were deleted or replaced `discardedDays` ago.
 * @returns their number
 */
async function removeDiscarded(pool: pg.Pool, storage: Storage, retention: SweepRetention): Promise<number> {
  const { rows } = await pool.query<Row>(
    `select id, save_path, save_file_name from discarded_files
      where discarded_at <= now() - make_interval(days => $1)`,
    [retention.discardedDays],
  )
  for (const row of rows) {
    await storage.remove({ path: row.save_path, name: row.save_file_name })
    await pool.query('delete from discarded_files where id = $1', [row.id])
  }
  return rows.length
}

/**
 * Marks the attached files (`notice_files`) that are missing in the storage and logs each, and unmarks those that it has again.
 * A file that was stored after the listing is looked up by itself.
 * @param files every file in use, as path/name
 * @returns the number of missing files
 */
async function markMissing(
  pool: pg.Pool,
  storage: Storage,
  logger: FastifyBaseLogger,
  files: ReadonlySet<string>,
): Promise<number> {
  const { rows } = await pool.query<Row & { notice_id: string; missing_since: Date | null }>(
    'select id, notice_id, save_path, save_file_name, missing_since from notice_files',
  )
  let missing = 0
  for (const row of rows) {
    const isThere =
      files.has(`${row.save_path}/${row.save_file_name}`) ||
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
        'the file of a notice is missing from the storage',
      )
    }
  }
  return missing
}
