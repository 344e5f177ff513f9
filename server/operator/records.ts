import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../db/types.ts'

/** Minutes after a failure in which no server tries again. */
const AGAIN_MINUTES = 15
/** Days until the rows of removed or failed backups are deleted. */
const KEPT_DAYS = 90

/** Returns whether a backup is due: none for this time or later is complete, and none has just failed. */
export async function isDue(db: Kysely<Database>, due: Date): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select not exists (select from backup_runs where failure is null and ended_at is not null and due_at >= ${due})
      and not exists (select from backup_runs
        where failure is not null and ended_at > now() - make_interval(mins => ${sql.lit(AGAIN_MINUTES)})) as due`.execute(
    db,
  )
  return rows[0]?.due === true
}

/** Records the start of a backup. */
export async function beginRun(db: Kysely<Database>, due: Date, folder: string): Promise<string> {
  const { id } = await db
    .insertInto('backup_runs')
    .values({ due_at: due, folder })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Contents of a complete backup. */
export interface Taken {
  rows: number
  files: number
  missing: number
  bytes: number
}

/** Records that a backup is complete. */
export async function endRun(
  db: Kysely<Database>,
  id: string,
  { rows, files, missing, bytes }: Taken,
): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({
      ended_at: sql`clock_timestamp()`,
      row_count: String(rows),
      file_count: String(files),
      missing_count: String(missing),
      bytes: String(bytes),
    })
    .where('id', '=', id)
    .execute()
}

/** Records why a backup failed. */
export async function failRun(db: Kysely<Database>, id: string, failure: string): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({ ended_at: sql`clock_timestamp()`, failure })
    .where('id', '=', id)
    .execute()
}

/** Deletes the row of a backup that was not completed. */
export async function forgetRun(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('backup_runs').where('id', '=', id).execute()
}

/**
 * Deletes the rows of backups that a stopped server left unfinished. Only the holder of the lock may call this. @returns their
 * folders
 */
export async function forgetCutOff(db: Kysely<Database>): Promise<string[]> {
  await db
    .deleteFrom('backup_runs')
    .where('begun_at', '<', sql<Date>`now() - make_interval(days => ${sql.lit(KEPT_DAYS)})`)
    .where((or) => or.or([or('failure', 'is not', null), or('removed_at', 'is not', null)]))
    .execute()
  const rows = await db.deleteFrom('backup_runs').where('ended_at', 'is', null).returning('folder').execute()
  return rows.map(({ folder }) => folder)
}

/** A backup that is complete and was not removed. */
export interface KeptRun {
  id: string
  folder: string
  ended_at: Date
  bytes: string | null
  tested_at: Date | null
  test_failure: string | null
}

/** Returns the backups that still exist, the newest first. */
export function keptRuns(db: Kysely<Database>): Promise<KeptRun[]> {
  return db
    .selectFrom('backup_runs')
    .select(['id', 'folder', 'bytes', 'tested_at', 'test_failure'])
    .select(sql<Date>`ended_at`.as('ended_at'))
    .where('ended_at', 'is not', null)
    .where('failure', 'is', null)
    .where('removed_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/** Records that the folder of a backup was removed. */
export async function removedRun(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({ removed_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Records the result of a restore test. */
export async function testedRun(db: Kysely<Database>, id: string, failure: string | null): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({ tested_at: sql`clock_timestamp()`, test_failure: failure })
    .where('id', '=', id)
    .execute()
}

/** Returns when a backup last passed a restore test, even if its folder was removed since. */
export async function lastGoodTest(db: Kysely<Database>): Promise<Date | null> {
  const row = await db
    .selectFrom('backup_runs')
    .select('tested_at')
    .where('tested_at', 'is not', null)
    .where('test_failure', 'is', null)
    .orderBy('tested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.tested_at ?? null
}

/** State of the backups. */
export interface BackupState {
  /** The last complete backup: its scheduled time, its end, its folder, its size, and the number of files that were missing. */
  last: { dueAt: Date; endedAt: Date; folder: string; bytes: number; missing: number } | null
  /** Reason of the last failure after the last complete backup. */
  failure: string | null
  /** The last restore test, and its error. */
  test: { at: Date; failure: string | null } | null
}

/** Reads how backups stand, whichever server took them. */
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
