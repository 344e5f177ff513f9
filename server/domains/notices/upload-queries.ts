import { type Kysely, sql, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/types.ts'
import type { Incoming, StorageKey } from '../../services/storage.ts'

/** How long a writer that says nothing is still believed to write; it says so every second. */
const LEASE_SECONDS = 10

/** An upload as its row says. */
export type UploadRow = NonNullable<Awaited<ReturnType<typeof findUpload>>>

/** Puts an upload on record before the first byte of it is kept. */
export async function insertUpload(
  db: Kysely<Database>,
  upload: {
    userId: string
    noticeId: string
    replacesFileId: string | null
    name: string
    size: number | null
    key: StorageKey
  },
): Promise<UploadRow> {
  return db
    .insertInto('uploads')
    .values({
      id: randomUUID(),
      user_id: upload.userId,
      notice_id: upload.noticeId,
      replaces_file_id: upload.replacesFileId,
      original_name: upload.name,
      size_bytes: upload.size === null ? null : String(upload.size),
      save_path: upload.key.path,
      save_file_name: upload.key.name,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** An upload of this person's; undefined when there is none or it was given up. */
export async function findUpload(db: Kysely<Database>, id: string, userId: string) {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where(sql<string>`id::text`, '=', id)
    .where('user_id', '=', userId)
    .where('cancelled', '=', false)
    .executeTakeFirst()
}

/** An upload as the storage takes it, its state kept in its row. */
export function incomingOf(db: Kysely<Database>, row: UploadRow): Incoming {
  const file: Incoming = {
    key: { path: row.save_path, name: row.save_file_name },
    size: row.size_bytes === null ? null : Number(row.size_bytes),
    state: row.storage_state,
    async remember(state) {
      file.state = state
      await db.updateTable('uploads').set({ storage_state: state }).where('id', '=', row.id).execute()
    },
  }
  return file
}

const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/**
 * Takes an upload for one writer, across all servers. Whoever holds it is asked to let go.
 * @returns the row as it is now; undefined while somebody else holds it, and when it is given up
 */
export async function takeUpload(db: Kysely<Database>, id: string, holder: string) {
  const taken = await db
    .updateTable('uploads')
    .set({ held_by: holder, held_until: leaseEnd, release_wanted: false, touched_at: sql`now()` })
    .where('id', '=', id)
    .where('cancelled', '=', false)
    .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<', sql<Date>`now()`)]))
    .returningAll()
    .executeTakeFirst()
  if (taken === undefined) {
    await db.updateTable('uploads').set({ release_wanted: true }).where('id', '=', id).execute()
  }
  return taken
}

/** Says that the writer still writes. @returns whether it may go on */
export async function renewLease(db: Kysely<Database>, id: string, holder: string): Promise<boolean> {
  const row = await db
    .updateTable('uploads')
    .set({ held_until: leaseEnd, touched_at: sql`now()` })
    .where('id', '=', id)
    .where('held_by', '=', holder)
    .returning(['release_wanted', 'cancelled'])
    .executeTakeFirst()
  return row !== undefined && !row.release_wanted && !row.cancelled
}

/** Lets an upload go. @returns whether it was given up meanwhile */
export async function releaseUpload(db: Kysely<Database>, id: string, holder: string): Promise<boolean> {
  const row = await db
    .updateTable('uploads')
    .set({ held_by: null, held_until: null, release_wanted: false })
    .where('id', '=', id)
    .where('held_by', '=', holder)
    .returning('cancelled')
    .executeTakeFirst()
  return row?.cancelled === true
}

/**
 * Gives an upload up: nobody goes on with it, and the sweep takes what is left.
 * @returns the row; undefined when it is attached, or gone: then its bytes are not its own any more
 */
export async function giveUp(db: Kysely<Database>, id: string): Promise<UploadRow | undefined> {
  return db
    .updateTable('uploads')
    .set({ cancelled: true, release_wanted: true })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Forgets an upload whose bytes are gone. */
export async function forgetUpload(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).where('finished_at', 'is', null).execute()
}

/**
 * Makes the bytes of an upload the file of its notice: from here on they are notice_files'. It and `giveUp` take turns
 * at the row, so that nobody removes the bytes of what is attached.
 * @returns false when it was given up meanwhile, and nothing is done
 */
export async function attachUpload(
  tx: Transaction<Database>,
  row: UploadRow,
  size: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ finished_at: sql`now()` })
    .where('id', '=', row.id)
    .where('finished_at', 'is', null)
    .where('cancelled', '=', false)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await tx
    .insertInto('notice_files')
    .values({
      id: row.id,
      notice_id: row.notice_id,
      save_path: row.save_path,
      save_file_name: row.save_file_name,
      original_name: row.original_name,
      size_bytes: String(size),
    })
    .execute()
  return true
}
