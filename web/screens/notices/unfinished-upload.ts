import * as z from 'zod/mini'
import { findDraft, forgetDraft, keepDraft } from '../../drafts.ts'
import { sessionUserId } from '../../session.ts'

/**
 * An upload that began and has not ended, as this browser remembers it for its person: after a reload or a crash the
 * same file goes on where it stopped (ADR 015). Kept with the drafts, so that a logout forgets it too.
 */
const unfinished = z.object({
  uploadId: z.string(),
  /** Which file it is: a page cannot look at one before it is chosen again. */
  name: z.string(),
  size: z.number(),
  lastModified: z.number(),
  replacesFileId: z.string(),
  begunAt: z.number(),
})

/** An upload that began and has not ended. */
export type UnfinishedUpload = z.output<typeof unfinished>

/** The server gives an idle upload up after the same time. */
const GOES_ON_FOR_MS = 24 * 60 * 60 * 1000

const about = (noticeId: string) => `file-of-${noticeId}`

/** Remembers what `beginUpload` answered. */
export function rememberUpload(noticeId: string, file: File, uploadId: string, replacesFileId: string): void {
  const person = sessionUserId()
  if (person === null) return
  const { name, size, lastModified } = file
  const upload: UnfinishedUpload = {
    uploadId,
    name,
    size,
    lastModified,
    replacesFileId,
    begunAt: Date.now(),
  }
  keepDraft(person, about(noticeId), upload)
}

/** The unfinished upload of this person for a notice; null for none, or one that is too old. */
export function findUnfinished(noticeId: string): UnfinishedUpload | null {
  const person = sessionUserId()
  if (person === null) return null
  const kept = findDraft(person, about(noticeId), unfinished)
  return kept !== undefined && Date.now() - kept.begunAt <= GOES_ON_FOR_MS ? kept : null
}

/**
 * The unfinished upload that may go on beside the file that the notice has now, '' for none: one that has become that
 * file is finished, and one that was to replace another file would be refused.
 */
export function findUnfinishedBeside(noticeId: string, fileId: string): UnfinishedUpload | null {
  const upload = findUnfinished(noticeId)
  return upload?.replacesFileId === fileId ? upload : null
}

/** Forgets an upload that ended or was given up. */
export function forgetUpload(noticeId: string): void {
  const person = sessionUserId()
  if (person !== null) forgetDraft(person, about(noticeId))
}

/** Whether a file that was chosen is the one that was on its way. */
export function isSameFile(upload: UnfinishedUpload, file: File): boolean {
  return upload.name === file.name && upload.size === file.size && upload.lastModified === file.lastModified
}
