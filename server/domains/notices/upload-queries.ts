import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { PictureSize } from './picture-size.ts'
import { LOCK } from '../../db/locks.ts'
import type { Database } from '../../db/types.ts'
import { canDeleteFiles } from '../../services/storage/pairing.ts'
import { type Incoming, newStorageKey, type Storage } from '../../services/storage.ts'
import { settleQuota } from './upload-quota.ts'

/** The row of an upload. */
export type UploadRow = Selectable<Database['uploads']>

/** Returns the notice in whose history the upload appears; none before the notice is saved. */
export const recordsOf = ({ notice_id }: UploadRow) =>
  notice_id === null ? [] : [`notice/${notice_id}` as const]

/** An upload of a user, as the client names it: the ID may be any text. */
export interface UploadRef {
  id: string
  userId: string
}

/**
 * Inserts an upload before its first byte is stored.
 * @param upload its `size` is null if it is known only at the end, and its `expected` is the announced size, which the upload has
 *   reserved of the user's quota
 */
export async function insertUpload(
  db: Kysely<Database>,
  upload: {
    userId: string
    noticeId: string | null
    replacesFileId: string | null
    name: string
    size: number | null
    expected: number
    lastModified: number | null
    picture: string | null
  },
): Promise<UploadRow> {
  const key = newStorageKey(new Date())
  return db
    .insertInto('uploads')
    .values({
      id: randomUUID(),
      user_id: upload.userId,
      notice_id: upload.noticeId,
      replaces_file_id: upload.replacesFileId,
      original_name: upload.name,
      size_bytes: textOf(upload.size),
      expected_bytes: textOf(upload.expected),
      reserved_bytes: textOf(upload.expected),
      last_modified: textOf(upload.lastModified),
      picture: upload.picture,
      save_path: key.path,
      save_file_name: key.name,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const textOf = (value: number | null) => (value === null ? null : String(value))

/** Columns of an upload that the storage needs. */
type Kept = Pick<UploadRow, 'id' | 'size_bytes' | 'save_path' | 'save_file_name' | 'storage_state'>

/** An upload whose bytes still arrive, with its final size. */
export type PendingUpload = Kept & { bytes: number }

/**
 * Returns the number of a user's open uploads, the bytes of their unfinished uploads and stored deleted files, and the pending uploads
 * of all users. Locks the user, then the storage space, so that the later of two concurrent uploads counts the earlier one.
 * @param isPicture true to count images as open, which are open until they are stored; false for files, which are open until their
 *   notice is saved
 * @param unknownBytes size that counts for an upload whose size is known only at its end
 */
export async function findUploadUsage(
  tx: Transaction<Database>,
  { userId, isPicture }: { userId: string; isPicture: boolean },
  unknownBytes: number,
) {
  await sql`select pg_advisory_xact_lock(${LOCK.uploadRoom})
    from (select id from users where id = ${userId} for no key update) as person`.execute(tx)
  // A separate statement, so that it sees what others wrote while it waited for the lock.
  const isOpen = sql`finished_at is null and quarantined_at is null and not cancelled and touched_at > now() - interval '1 hour'`
  const isOfKind = isPicture ? sql`picture is not null and stored_at is null` : sql`picture is null`
  const { rows } = await sql<{ open: number; bytes: number; pending: PendingUpload[] }>`
    select count(*) filter (where ${isOpen} and ${isOfKind})::int as open,
      coalesce(sum(case when finished_at is null then coalesce(u.size_bytes, ${unknownBytes}) else d.size_bytes end), 0)
        ::float8 as bytes,
      (select coalesce(json_agg(json_build_object('id', id, 'size_bytes', size_bytes::text, 'save_path', save_path,
          'save_file_name', save_file_name, 'storage_state', storage_state,
          'bytes', coalesce(size_bytes, expected_bytes, ${unknownBytes}))), '[]')
        from uploads where ${isOpen} and stored_at is null) as pending
    from uploads u left join discarded_files d on d.id = u.id where u.user_id = ${userId}`.execute(tx)
  return rows[0] ?? { open: 0, bytes: 0, pending: [] }
}

/** Starts an update of an upload of the caller. */
export function uploadsOf(db: Kysely<Database>, { id, userId }: UploadRef) {
  return db
    .updateTable('uploads')
    .where(sql<string>`id::text`, '=', id)
    .where('user_id', '=', userId)
}

/** Returns an upload in the form that the storage needs. Its state is stored in its row. */
export function incomingOf(db: Kysely<Database>, row: Kept): Incoming {
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

/**
 * Cancels an upload: no request continues it, and the sweep deletes its bytes.
 * @returns the row; undefined if it is attached, in quarantine, or deleted, because its bytes then do not belong to it any more
 */
export async function markCancelled(db: Kysely<Database>, upload: UploadRef): Promise<UploadRow | undefined> {
  return uploadsOf(db, upload)
    .set({ cancelled: true, release_wanted: true })
    .where('finished_at', 'is', null)
    .where('quarantined_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Removes the bytes, then the row that named them: the other way round a crash would leave bytes without a name.
 * Of an upload that is attached nothing is removed.
 */
export async function dropUpload(db: Kysely<Database>, storage: Storage, upload: UploadRef): Promise<void> {
  const row = await markCancelled(db, upload)
  if (row === undefined) return
  const file = incomingOf(db, row)
  await settleQuota(db, row.id, await storage.received(file))
  // The original of this database may have finished and attached it. The sweep deletes it after an operator has decided.
  if (!(await canDeleteFiles(db, storage))) return
  await storage.abandon(file)
  await db.deleteFrom('uploads').where('id', '=', row.id).where('finished_at', 'is', null).execute()
}

/** Deletes an upload that was refused before its first byte. The storage is not asked. */
export async function forgetUpload(db: Kysely<Database>, id: string): Promise<void> {
  await settleQuota(db, id, 0)
  await db.deleteFrom('uploads').where('id', '=', id).execute()
}

/** @returns false if the upload was canceled meanwhile */
export async function keepStored(
  tx: Transaction<Database>,
  id: string,
  size: Partial<PictureSize> = {},
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ stored_at: sql`now()`, ...size })
    .where('id', '=', id)
    .where('cancelled', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Makes the bytes of an upload the file of its notice. From then on they belong to notice_files. This function and
 * `markCancelled` lock the same row, so that the bytes of an attached file are never deleted.
 * @returns false if the upload was canceled meanwhile, and nothing was changed
 */
export async function attachUpload(
  tx: Transaction<Database>,
  row: UploadRow & { notice_id: string },
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
  await settleQuota(tx, row.id, size)
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
