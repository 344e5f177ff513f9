import { sql } from 'kysely'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { FIRST_BYTES, mayBegin } from '../../../contract/file-types.ts'
import { refuse } from '../../../contract/errors.ts'
import { type finishUpload, MAX_PICTURE_PIXELS, type uploadFile } from '../../../contract/notices.ts'
import type { Call } from '../../http/handler.ts'
import { PICTURE_HEAD, type PictureSize, sizeOfPicture } from './picture-size.ts'
import { recordsOf, type UploadRow } from './upload-queries.ts'
import { settleQuota } from './upload-quota.ts'

/** Call that completes an upload. */
type StoringCall = Call<typeof uploadFile | typeof finishUpload>

/**
 * Checks stored bytes before they become a file of a notice. The first bytes must match an allowed type
 * (rules/files#file-types). An image of a text must be an image (rules/notices#pictures). The scanner must find no
 * malware (rules/files#scan); it scans each upload once, and nothing if none is set up.
 * @param size stored bytes
 * @returns the displayed size of an image; undefined for other files
 * @throws {Refusal} FILE_CONTENT_REFUSED; PICTURE_REFUSED; SCAN_FAILED if the scanner gives no verdict;
 * FILE_INFECTED, after the upload was put into quarantine
 */
export async function examine(
  call: StoringCall,
  row: UploadRow,
  size: number,
): Promise<PictureSize | undefined> {
  const { storage, scanner, config } = call.services
  const key = { path: row.savePath, name: row.saveFileName }
  const open = async (end = size - 1) => {
    const found = await storage.get(key, { start: 0, end })
    if (found === null) throw new Error(`The upload ${row.id} is gone from the storage`)
    return found.stream
  }

  if (config.fileTypes.allowed.length + config.fileTypes.refused.length > 0 && size > 0) {
    const first = await buffer(await open(Math.min(FIRST_BYTES, size) - 1))
    if (!mayBegin(config.fileTypes, row.originalName, first)) refuse('FILE_CONTENT_REFUSED')
  }

  const picture = row.picture === null ? undefined : await pictureOf(open, size)

  if (scanner === null || row.scannedAt !== null || size === 0) return picture
  const verdict = await scanner.scan(open)
  if (verdict.result === 'failed') refuse('SCAN_FAILED')
  if (verdict.result === 'found') return quarantine(call, row, size, verdict.finding)
  // If attaching the file fails, it is not scanned again.
  const scanned = { scannedAt: sql<Date>`now()` }
  await call.db.updateTable('uploads').set(scanned).where('id', '=', row.id).execute()
  return picture
}

/**
 * Returns the displayed size of an image in pixels.
 * @throws {Refusal} PICTURE_REFUSED if it is no PNG, JPEG, GIF or WebP, or has more than MAX_PICTURE_PIXELS
 */
async function pictureOf(open: (end: number) => Promise<Readable>, size: number): Promise<PictureSize> {
  const found =
    size === 0 ? undefined : sizeOfPicture(await buffer(await open(Math.min(PICTURE_HEAD, size) - 1)))
  if (found === undefined || found.width * found.height > MAX_PICTURE_PIXELS) return refuse('PICTURE_REFUSED')
  return found
}

/**
 * Marks an infected upload, so that no user can use or download it, and settles its quota. Writes the audit row
 * `file.quarantine` and a warning in the server's log. The sweep deletes it after its retention period.
 * @throws {Refusal} FILE_INFECTED always
 */
async function quarantine(call: StoringCall, row: UploadRow, size: number, finding: string): Promise<never> {
  const { actor, address } = call
  const { id, noticeId, originalName: name } = row
  await call.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('uploads')
      .set({ quarantinedAt: sql`now()`, finding, sizeBytes: String(size) })
      .where('id', '=', id)
      .execute()
    await settleQuota(tx, id, size)
    const entry = { target: id, detail: { noticeId, name, size, finding }, records: recordsOf(row) }
    await call.auditAs('file.quarantine', tx, entry)
  })
  call.log.warn({ uploadId: id, noticeId, userId: actor.userId, address, finding }, 'a file was quarantined')
  refuse('FILE_INFECTED')
}
