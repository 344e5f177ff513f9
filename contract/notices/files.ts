import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, line, recordId, timestamp } from '../fields.ts'
import { pictureName } from './pictures.ts'

/** The largest file of a notice: 1000 MB = 1000 × 1024 × 1024 bytes (rules/files#file-size). */
export const MAX_FILE_BYTES = 1000 * 1024 * 1024

/**
 * Path of pending uploads, each by its uploadId: HEAD and PATCH of the tus protocol (design/uploads-and-files#rows-before-bytes).
 */
export const UPLOADS_PATH = '/bmt/v1/uploads'

/** Path of download links that `linkFile` returned; a GET of each works once (design/uploads-and-files#downloads). */
export const FILE_LINKS_PATH = '/bmt/v1/files'

/**
 * Schema of the original name of a file: one line of at most 255 characters, without a path. The form checks it
 * before it sends anything.
 */
export const fileName = line(255).check(
  z.refine((name) => !/[/\\]/.test(name) && name !== '.' && name !== '..', 'fileNameFormat'),
)

/**
 * Schema of a field whose name is a plural: a plain string, or a JSON array with one entry, which becomes the string
 * (rules/files#upload-by-form).
 */
const oneOfList = z.pipe(
  z.string({ error: (issue) => (issue.input === undefined ? 'required' : 'notText') }),
  z.transform(onlyName),
)

/** Returns the only entry of a JSON array of one text; any other text unchanged. */
function onlyName(text: string): string {
  // The name of a file may be '[안내] 점검.pdf'.
  if (!text.startsWith('[')) return text
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) && names.length === 1 && typeof names[0] === 'string' ? names[0] : text
  } catch {
    return text
  }
}

/** Schema of an ID, or '' for none. */
const idOrNone = z.union([z.literal(''), line(60)])

/** ID of the file that the new one replaces, so that one of the two always exists; '' for none. */
const replaces = z._default(idOrNone, '')

/**
 * Input fields that attach a file when a notice is saved: the caller's stored upload (`uploadId`), and the present
 * file that it replaces ('' for none; rules/files#upload-before-notice).
 */
export const attachedUpload = { uploadId: z.optional(idOrNone), replacesFileId: replaces }

/** Errors of attaching an upload to a notice. */
export const ATTACH_ERRORS = ['UPLOAD_NOT_FOUND', 'UPLOAD_INCOMPLETE', 'FILE_ALREADY_ATTACHED'] as const

/** Largest size in bytes that the schema accepts. Between the size limit and this, the refusal is FILE_TOO_LARGE. */
const MAX_ANNOUNCED = 1e12
const SIZE_RANGE = `numberRange|0~${MAX_ANNOUNCED}`

/** The latest modification time that a client may send for a file: in the year 2286. */
export const MAX_MODIFIED = 1e13
const TIME_RANGE = `numberRange|0~${MAX_MODIFIED}`

/** Schema of the ID of an upload, as `beginUpload` returns it. */
const uploadId = z.object({ uploadId: line(60) })

/**
 * Hours until an unfinished upload expires (rules/files#upload-ends). A file can resume within a day after a broken connection, and
 * the largest file needs 12 KB a second to finish.
 */
export const UPLOAD_HOURS = 24

/** The most open uploads of one user (rules/files#room). */
export const MAX_OPEN_UPLOADS = 3

/** The most bytes of one user in pending uploads and in deleted files that are not yet removed (rules/files#room). */
export const MAX_LOOSE_BYTES = 5 * 1024 * 1024 * 1024

/** Errors of an upload before it accepts a byte. */
const BEGIN_ERRORS = [
  'FORBIDDEN',
  'NOTICE_MARKED',
  'NOTICE_NOT_FOUND',
  'FILE_ALREADY_ATTACHED',
  'FILE_TOO_LARGE',
  'FILE_TYPE_REFUSED',
  'STORAGE_FULL',
  'UPLOADS_OPEN',
  'UPLOADS_FULL',
  'UPLOAD_QUOTA',
] as const

/** Access of the calls that change a notice or its files, also an own one (rules/notices#who-publishes). */
export const PUBLISHERS = { function: ['autho_notice_insert', 'autho_notice_manage'] } as const

/** Errors of a completely received file that is then examined. */
const CONTENT_ERRORS = ['FILE_CONTENT_REFUSED', 'SCAN_FAILED', 'FILE_INFECTED'] as const

/**
 * Uploads a file as multipart and attaches it to a notice: noticeId, fileName, an optional replacesFileId, then the
 * file and nothing after it (rules/files#upload-by-form). Nothing remains of a failed upload. FILE_ALREADY_ATTACHED if
 * the notice has a file other than `replacesFileId`.
 */
export const uploadFile = endpoint({
  path: '/bmt/v1/ins/fileInfo',
  summary: 'Attach a file to a notice',
  access: PUBLISHERS,
  others: ['autho_notice_manage'],
  input: z.strictObject({
    noticeId: recordId,
    fileName: z.pipe(oneOfList, fileName),
    replacesFileId: replaces,
  }),
  errors: [...BEGIN_ERRORS, ...CONTENT_ERRORS, 'UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED'],
  audit: 'file.upload',
  personal: 'none',
  body: 'multipart',
})

/**
 * Begins a resumable upload: its bytes are sent by tus to UPLOADS_PATH/uploadId, and `finishUpload` completes it
 * (design/uploads-and-files#rows-before-bytes). Without a notice it becomes the file of the notice that is saved with
 * it (design/uploads-and-files#upload-before-the-notice), or an image of the notice whose body names it
 * (design/notices#images-in-a-text). It expires after UPLOAD_HOURS hours.
 */
export const beginUpload = endpoint({
  path: '/bmt/v1/ins/uploadInfo',
  summary: 'Begin an upload that can be resumed',
  access: PUBLISHERS,
  others: ['autho_notice_manage'],
  input: z.strictObject({
    noticeId: z.optional(recordId),
    fileName,
    fileSize: z
      .number({ error: 'notNumber' })
      .check(z.int('notNumber'), z.gte(0, SIZE_RANGE), z.lte(MAX_ANNOUNCED, SIZE_RANGE)),
    replacesFileId: replaces,
    /** The name of the image in the body of a notice. The upload waits for that notice, and `noticeId` is ignored. */
    picture: z.optional(pictureName),
    /** Milliseconds since 1970, as browsers report them for a file. */
    lastModified: z.optional(
      z
        .number({ error: 'notNumber' })
        .check(z.int('notNumber'), z.gte(0, TIME_RANGE), z.lte(MAX_MODIFIED, TIME_RANGE)),
    ),
  }),
  output: uploadId,
  errors: [...BEGIN_ERRORS, 'PICTURE_TOO_LARGE'],
  audit: 'none',
  personal: 'none',
  ownTurns: true,
})

/**
 * Examines an upload after all its bytes have arrived, and attaches it to its notice, or without a notice keeps it for
 * the notice that is saved with it. UPLOAD_INCOMPLETE if bytes are missing. A repeated call returns the same response,
 * or UPLOAD_NOT_FOUND if the file was deleted since.
 */
export const finishUpload = endpoint({
  path: '/bmt/v1/upd/uploadInfo',
  summary: 'Attach the file of a complete upload',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject(uploadId.shape),
  output: z.object({ fileId: z.string() }),
  errors: [
    'FORBIDDEN',
    'NOTICE_MARKED',
    'NOTICE_NOT_FOUND',
    'FILE_ALREADY_ATTACHED',
    'UPLOAD_NOT_FOUND',
    'UPLOAD_EXPIRED',
    'UPLOAD_INCOMPLETE',
    'UPLOAD_BUSY',
    ...CONTENT_ERRORS,
    'PICTURE_REFUSED',
  ],
  audit: 'file.upload',
  personal: 'none',
  ownTurns: true,
})

/**
 * Cancels an upload of the caller and deletes its bytes. Succeeds without effect for an upload that does not exist or
 * is attached.
 */
export const cancelUpload = endpoint({
  path: '/bmt/v1/del/uploadInfo',
  summary: 'Cancel an upload',
  access: 'signed-in',
  input: z.strictObject(uploadId.shape),
  audit: 'none',
  personal: 'none',
  duringFullDisk: true,
  ownTurns: true,
})

/**
 * Lists the caller's 20 newest uploads that belong to no notice yet, without images, newest first
 * (rules/files#upload-before-notice).
 */
export const listUploads = endpoint({
  path: '/bmt/v1/get/uploads',
  summary: 'List my uploads without a notice',
  access: 'signed-in',
  output: z.object({
    uploads: z.array(
      z.object({
        uploadId: z.string(),
        fileName: z.string(),
        fileSize: z.number(),
        /** 0 if the client did not send it. */
        lastModified: z.number(),
        /** True if all bytes are stored, so that a notice can be saved with it. */
        stored: flag,
        registeredAt: timestamp,
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Deletes the attached file of a notice for all users. FILE_NOT_FOUND unless ID, stored name and stored path belong to
 * the same file (rules/files#opaque-names).
 */
export const deleteFile = endpoint({
  path: '/bmt/v1/del/fileInfo',
  summary: 'Delete the file of a notice',
  access: PUBLISHERS,
  others: ['autho_notice_manage'],
  input: z.strictObject({
    noticeId: recordId,
    fileId: line(60),
    storedName: z.pipe(oneOfList, line(200)),
    storedPath: line(200),
  }),
  errors: ['FORBIDDEN', 'NOTICE_MARKED', 'NOTICE_NOT_FOUND', 'FILE_NOT_FOUND'],
  audit: 'file.delete',
  personal: 'none',
})

/** Schema of the place of an attached file in the storage, as a notice lists it. */
const savedFile = z.strictObject({ storedName: line(200), storedPath: line(200) })

/**
 * Returns the bytes of a file of a notice that the caller may see, with its exact name in Content-Disposition; supports
 * byte ranges (rules/files#download). Counts a download, unless it continues an earlier one of the same session.
 */
export const downloadFile = endpoint({
  path: '/bmt/v1/dwn/fileInfo',
  summary: 'Download a file',
  access: 'signed-in',
  input: savedFile,
  errors: ['FILE_NOT_FOUND', 'RANGE_INVALID'],
  audit: 'none',
  personal: 'none',
  answer: 'file',
})

/**
 * Returns a link for the browser's download manager, for this session and file (design/uploads-and-files#downloads). It
 * works for one download, which must start within a minute. FILE_NOT_FOUND also if the file is missing from the
 * storage.
 */
export const linkFile = endpoint({
  path: '/bmt/v1/dwn/linkInfo',
  summary: 'Create a link to download a file with GET',
  access: 'signed-in',
  input: savedFile,
  output: z.object({ url: z.string() }),
  errors: ['FILE_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
  ownTurns: true,
})
