import { type Selectable, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { PictureSize } from './picture-size.ts'
import { LOCK } from '../../db/locks.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Database } from '../../db/types.ts'
import { canDeleteFiles } from '../../services/storage/pairing.ts'
import { type StorageUpload, newStorageKey, type Storage } from '../../services/storage.ts'
import { settleQuota } from './upload-quota.ts'

/** Row of `uploads`, by the columns of the database. */
export type UploadRow = Selectable<Database['uploads']>

/**
 * Returns the records of an audit row about an upload: its notice, in whose history the row then appears; none
 * before the notice is saved.
 */
export const recordsOf = ({ noticeId }: UploadRow) =>
  noticeId === null ? [] : [`notice/${noticeId}` as const]

/** ID of an upload as a client sends it (any text), and users.id of its owner. */
export interface UploadRef {
  id: string
  userId: string
}

/** Values of a new upload. */
export interface NewUpload {
  noticeId: string | null
  replacesFileId: string | null
  originalName: string
  /** Null if it is known only at the end. */
  sizeBytes: number | null
  /** Announced size, which the upload has reserved of the user's quota. */
  expectedBytes: number
  lastModified: number | null
  picture: string | null
}

/**
 * Inserts the row of an upload with a new ID and a new name in the storage, before its first byte is stored.
 * Returns the row. Reserves no quota: `reserveQuota` does.
 */
export async function insertUpload(
  db: Db,
  userId: string,
  { sizeBytes, expectedBytes, lastModified, ...upload }: NewUpload,
): Promise<UploadRow> {
  const key = newStorageKey(new Date())
  return db
    .insertInto('uploads')
    .values({
      ...upload,
      id: randomUUID(),
      userId,
      sizeBytes: textOf(sizeBytes),
      expectedBytes: textOf(expectedBytes),
      reservedBytes: textOf(expectedBytes),
      lastModified: textOf(lastModified),
      savePath: key.path,
      saveFileName: key.name,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns a number as text for a bigint column; null for null. */
const textOf = (value: number | null) => (value === null ? null : String(value))

/** Columns of an upload that the storage needs. */
type Kept = Pick<UploadRow, 'id' | 'sizeBytes' | 'savePath' | 'saveFileName' | 'storageState'>

/**
 * Upload whose bytes still arrive, with its final size in bytes, or the announced or largest size if that is
 * unknown.
 */
export type PendingUpload = Kept & { bytes: number }

/**
 * Returns how much a user occupies: the number of open uploads, and the bytes of unfinished uploads and stored deleted
 * files. Also returns the pending uploads of all users. An upload that was idle for an hour is not open or pending.
 * Locks the user, then the storage space, so that the later of two concurrent uploads counts the earlier one.
 * @param isPicture true to count images as open, which are open until they are stored; false for files, which are open
 * until their notice is saved
 * @param unknownBytes size that counts for an upload whose size is known only at its end
 */
export async function findUploadUsage(
  tx: Tx,
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
      (select coalesce(json_agg(json_build_object('id', id, 'sizeBytes', size_bytes::text, 'savePath', save_path,
          'saveFileName', save_file_name, 'storageState', storage_state,
          'bytes', coalesce(size_bytes, expected_bytes, ${unknownBytes}))), '[]')
        from uploads where ${isOpen} and stored_at is null) as pending
    from uploads u left join discarded_files d on d.id = u.id where u.user_id = ${userId}`.execute(tx)
  return rows[0] ?? { open: 0, bytes: 0, pending: [] }
}

/**
 * Returns an update query for one upload of a user, to which the caller adds the changes. It matches no row if the
 * ID is unknown, no UUID, or another user's.
 */
export function uploadsOf(db: Db, { id, userId }: UploadRef) {
  return db
    .updateTable('uploads')
    .where(sql<string>`id::text`, '=', id)
    .where('userId', '=', userId)
}

/** Returns an upload in the form that the storage needs. `remember` saves the state of the storage in the row. */
export function incomingOf(db: Db, row: Kept): StorageUpload {
  const file: StorageUpload = {
    key: { path: row.savePath, name: row.saveFileName },
    size: row.sizeBytes === null ? null : Number(row.sizeBytes),
    state: row.storageState,
    async remember(state) {
      file.state = state
      await db.updateTable('uploads').set({ storageState: state }).where('id', '=', row.id).execute()
    },
  }
  return file
}

/**
 * Marks an upload as canceled and asks its writer to stop. No request can continue it, and the sweep deletes its
 * bytes. Deletes nothing itself.
 * @returns the row; undefined if the upload is unknown, another user's, attached or in quarantine, and nothing
 * changed
 */
export async function markCancelled(db: Db, upload: UploadRef): Promise<UploadRow | undefined> {
  return uploadsOf(db, upload)
    .set({ cancelled: true, releaseWanted: true })
    .where('finishedAt', 'is', null)
    .where('quarantinedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Cancels an upload, credits its quota, and deletes its bytes, then its row: in the reverse order a crash would
 * leave bytes without a row. Does nothing if the upload is unknown, attached or in quarantine. If `canDeleteFiles`
 * forbids it, deletes neither bytes nor row.
 */
export async function dropUpload(db: Db, storage: Storage, upload: UploadRef): Promise<void> {
  const row = await markCancelled(db, upload)
  if (row === undefined) return
  const file = incomingOf(db, row)
  await settleQuota(db, row.id, await storage.received(file))
  // The original of this database may have finished and attached it. The sweep deletes it after an operator has decided.
  if (!(await canDeleteFiles(db, storage))) return
  await storage.abandon(file)
  await db.deleteFrom('uploads').where('id', '=', row.id).where('finishedAt', 'is', null).execute()
}

/** Deletes the row of an upload that was refused before its first byte, and credits its quota. Does not access the storage. */
export async function forgetUpload(db: Db, id: string): Promise<void> {
  await settleQuota(db, id, 0)
  await db.deleteFrom('uploads').where('id', '=', id).execute()
}

/**
 * Marks an upload without a notice as completely stored (`stored_at`), with its displayed size in pixels if it is
 * an image.
 * @returns false if the upload is canceled or does not exist; then nothing changed
 */
export async function markStored(tx: Tx, id: string, size: Partial<PictureSize> = {}): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ storedAt: sql`now()`, ...size })
    .where('id', '=', id)
    .where('cancelled', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Makes an upload whose bytes are stored the file of its notice: marks it as finished, settles its quota and
 * inserts the row of the file. Does not remove an earlier file. Locks the row of the upload as `markCancelled`
 * does, so that the bytes of an attached file are never deleted.
 * @param size stored bytes
 * @returns false if the upload was canceled or attached already; then nothing changed
 */
export async function attachUpload(
  tx: Tx,
  { id, noticeId, savePath, saveFileName, originalName }: UploadRow & { noticeId: string },
  size: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ finishedAt: sql`now()` })
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .where('cancelled', '=', false)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await settleQuota(tx, id, size)
  await tx
    .insertInto('noticeFiles')
    .values({ id, noticeId, savePath, saveFileName, originalName, sizeBytes: String(size) })
    .execute()
  return true
}
