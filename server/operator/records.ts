import { sql, type UpdateObject } from 'kysely'
import type pg from 'pg'
import type { Db } from '../db/database.ts'
import type { Database } from '../db/types.ts'
import type { BackupState } from '../services/backup-watch.ts'

/** Minutes after a failure in which no server tries again. */
const AGAIN_MINUTES = 15
/** Days until the rows of removed or failed backups are deleted. */
const KEPT_DAYS = 90
/** Days until the row of a removed backup is deleted that passed a restore test: more than the longest time between two tests. */
const KEPT_TESTED_DAYS = 400

/**
 * Returns whether a backup is due: none for this time or later is complete, and none has failed in the last AGAIN_MINUTES.
 * @param due last time of day at which a backup should be taken
 */
export async function isDue(db: Db, due: Date): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select not exists (select from backup_runs where failure is null and ended_at is not null and due_at >= ${due})
      and not exists (select from backup_runs
        where failure is not null and ended_at > now() - make_interval(mins => ${sql.lit(AGAIN_MINUTES)})) as due`.execute(
    db,
  )
  return rows[0]?.due === true
}

/** Creates the row of a backup that starts, in `backup_runs`, and returns its ID. */
export async function beginRun(db: Db, due: Date, folder: string): Promise<string> {
  const { id } = await db
    .insertInto('backupRuns')
    .values({ dueAt: due, folder })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Number of rows, files, missing files and bytes of a complete backup. */
export interface BackupContents {
  rows: number
  files: number
  missing: number
  bytes: number
}

/** Updates the row of a backup. */
const updateRun = async (db: Db, id: string, values: UpdateObject<Database, 'backupRuns'>) =>
  void (await db.updateTable('backupRuns').set(values).where('id', '=', id).execute())

/** Stores that a backup is complete, with its contents. */
export function endRun(db: Db, id: string, { rows, files, missing, bytes }: BackupContents): Promise<void> {
  return updateRun(db, id, {
    endedAt: sql`clock_timestamp()`,
    rowCount: String(rows),
    fileCount: String(files),
    missingCount: String(missing),
    bytes: String(bytes),
  })
}

/** Stores the reason why a backup failed. */
export function failRun(db: Db, id: string, failure: string): Promise<void> {
  return updateRun(db, id, { endedAt: sql`clock_timestamp()`, failure })
}

/** Deletes the row of a backup that was not completed, because the server stops. */
export async function forgetRun(db: Db, id: string): Promise<void> {
  await db.deleteFrom('backupRuns').where('id', '=', id).execute()
}

/**
 * Deletes the rows of backups that a stopped server left unfinished, and of failed or removed ones after 90 days; after 400 days if
 * it passed a restore test, for `lastGoodTest`. Only the holder of the lock may call this.
 * @returns the folders of the unfinished ones
 */
export async function deleteUnfinishedRuns(db: Db): Promise<string[]> {
  await db
    .deleteFrom('backupRuns')
    .where(
      'begunAt',
      '<',
      sql<Date>`now() - make_interval(days =>
        case when tested_at is not null and test_failure is null then ${sql.lit(KEPT_TESTED_DAYS)} else ${sql.lit(KEPT_DAYS)} end)`,
    )
    .where((or) => or.or([or('failure', 'is not', null), or('removedAt', 'is not', null)]))
    .execute()
  const rows = await db.deleteFrom('backupRuns').where('endedAt', 'is', null).returning('folder').execute()
  return rows.map(({ folder }) => folder)
}

/** A backup that is complete and was not removed. */
export interface KeptRun {
  id: string
  folder: string
  endedAt: Date
  /** Time of the last test; null for none. */
  testedAt: Date | null
  /** Reason why the last test failed; null if it succeeded or there was none. */
  testFailure: string | null
}

/** Returns the complete backups that were not removed, the newest first. */
export function listKeptRuns(db: Db): Promise<KeptRun[]> {
  return db
    .selectFrom('backupRuns')
    .select(['id', 'folder', 'testedAt', 'testFailure'])
    .select(sql<Date>`ended_at`.as('endedAt'))
    .where('endedAt', 'is not', null)
    .where('failure', 'is', null)
    .where('removedAt', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/** Stores that Maru has removed the folder of a backup. */
export function recordRemoval(db: Db, id: string): Promise<void> {
  return updateRun(db, id, { removedAt: sql`now()` })
}

/**
 * Stores the time and result of a restore test of a backup.
 * @param failure reason why the test failed; null if it passed
 */
export function recordTest(db: Db, id: string, failure: string | null): Promise<void> {
  return updateRun(db, id, { testedAt: sql`clock_timestamp()`, testFailure: failure })
}

/**
 * Returns the time when a backup last passed a restore test, even if its folder was removed since; null if none did.
 */
export async function lastGoodTest(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('backupRuns')
    .select('testedAt')
    .where('testedAt', 'is not', null)
    .where('testFailure', 'is', null)
    .orderBy('testedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.testedAt ?? null
}

/**
 * Reads the state of the backups of all servers: the last complete one, the failure of a later one, and the last restore test.
 */
export async function readState(pool: pg.Pool): Promise<BackupState> {
  const { rows } = await pool.query<{
    due_at: Date
    ended_at: Date | null
    folder: string
    bytes: number
    missing: number
    failure: string | null
    tested_at: Date | null
    test_failure: string | null
  }>(
    `select last.due_at, last.ended_at, last.folder, last.bytes::float8 as bytes, last.missing_count::int as missing,
        failed.failure, tested.tested_at, tested.test_failure
      from (select) as one
      left join lateral (select * from backup_runs where ended_at is not null and failure is null order by id desc limit 1) as last on true
      left join lateral (select failure from backup_runs where failure is not null and id > coalesce(last.id, 0) order by id desc limit 1) as failed on true
      left join lateral (select tested_at, test_failure from backup_runs where tested_at is not null order by tested_at desc limit 1) as tested on true`,
  )
  const [row] = rows
  if (row === undefined) return { last: null, failure: null, test: null }
  const { due_at: dueAt, ended_at: endedAt, folder, bytes, missing, failure, tested_at: at } = row
  return {
    last: endedAt === null ? null : { dueAt, endedAt, folder, bytes, missing },
    failure,
    test: at === null ? null : { at, failure: row.test_failure },
  }
}
