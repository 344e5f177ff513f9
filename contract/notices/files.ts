import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, line, recordId, timestamp } from '../fields.ts'
import { pictureName } from './pictures.ts'

/** 1000 MB = 1000 × 1024 × 1024 bytes (rules/files#file-size). */
export const MAX_FILE_BYTES = 1000 * 1024 * 1024

/** Below it a file on its way in is found by its uploadId: HEAD and PATCH of the tus protocol (design/uploads-and-files#rows-before-bytes). */
export const UPLOADS_PATH = '/bmt/v1/uploads'

/** Below it a file is had with GET by the link that `linkFile` answered, once (design/uploads-and-files#downloads). */
export const FILE_LINKS_PATH = '/bmt/v1/files'

/** The name of a file as its owner calls it: one line, no path in it. The form asks before anything is sent. */
export const fileName = line(255).check(
  z.refine((name) => !/[/\\]/.test(name) && name !== '.' && name !== '..', 'fileNameFormat'),
)

/** A field whose name is a plural: a plain string or a JSON array with one (rules/files#upload-by-form). */
const oneOfList = z.pipe(
  z.string({ error: (issue) => (issue.input === undefined ? 'required' : 'notText') }),
  z.transform(onlyName),
)

function onlyName(text: string): string {
  // A file may well be called '[안내] 점검.pdf'.
  if (!text.startsWith('[')) return text
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) && names.length === 1 && typeof names[0] === 'string' ? names[0] : text
  } catch {
    return text
  }
}

const idOrNone = z.union([z.literal(''), line(60)])

/** The file that a new one takes the place of, so that one of the two is always there; '' for none. */
const replaces = z._default(idOrNone, '')

/**
 * What a saved notice takes as its file: an upload of the caller's that is stored, and the file that it replaces
 * (rules/files#upload-before-notice).
 */
export const attachedUpload = { uploadId: z.optional(idOrNone), replacesFileId: replaces }

/** Why it cannot take it. */
export const ATTACH_ERRORS = ['UPLOAD_NOT_FOUND', 'UPLOAD_INCOMPLETE', 'FILE_ALREADY_ATTACHED'] as const

// What is too large for a file is refused as FILE_TOO_LARGE; this is what no file is.
const MAX_ANNOUNCED = 1e12
const SIZE_RANGE = `numberRange|0~${MAX_ANNOUNCED}`

/** The latest time of change that is told of a file: in the year 2286. */
export const MAX_MODIFIED = 1e13
const TIME_RANGE = `numberRange|0~${MAX_MODIFIED}`

const uploadId = z.object({ uploadId: line(60) })

/**
 * So long after its beginning an upload ends, however its bytes come (rules/files#upload-ends): within a day a file goes on after
 * a broken line, and the largest one needs 12 KB a second for it.
 */
export const UPLOAD_HOURS = 24

/** How many uploads one person may have open (rules/files#room). */
export const MAX_OPEN_UPLOADS = 3

/** So much may lie around of one person: on the way in, or deleted and not yet removed (rules/files#room). */
export const MAX_LOOSE_BYTES = 5 * 1024 * 1024 * 1024

/** What an upload may be refused with before it takes a byte. */
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

/** What a file may be refused with when all of it has come. */
const CONTENT_ERRORS = ['FILE_CONTENT_REFUSED', 'SCAN_FAILED', 'FILE_INFECTED'] as const

/**
 * multipart: noticeId, fileName, replacesFileId where there is one, then file and nothing after
 * it (rules/files#upload-by-form).
 */
export const uploadFile = endpoint({
  path: '/bmt/v1/ins/fileInfo',
  summary: 'Attach a file to a notice',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({
    noticeId: recordId,
    fileName: z.pipe(oneOfList, fileName),
    replacesFileId: replaces,
  }),
  output: z.object({}),
  errors: [...BEGIN_ERRORS, ...CONTENT_ERRORS, 'UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED'],
  audit: 'file.upload',
  personal: 'none',
  perPerson: 'write',
  body: 'multipart',
})

/**
 * Begins an upload that can be resumed: its bytes come by tus, at UPLOADS_PATH/uploadId (design/uploads-and-files#rows-before-bytes). Without a notice it becomes the
 * file of the one that is saved with it (design/uploads-and-files#upload-before-the-notice), or a picture of the one whose text names it (design/notices#images-in-a-text).
 */
export const beginUpload = endpoint({
  path: '/bmt/v1/ins/uploadInfo',
  summary: 'Begin an upload that can be resumed',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({
    noticeId: z.optional(recordId),
    fileName,
    fileSize: z
      .number({ error: 'notNumber' })
      .check(z.int('notNumber'), z.gte(0, SIZE_RANGE), z.lte(MAX_ANNOUNCED, SIZE_RANGE)),
    replacesFileId: replaces,
    /** What the text of a notice calls it by: it waits for that, and `noticeId` says nothing. */
    picture: z.optional(pictureName),
    /** Milliseconds since 1970, as a browser tells them of a file. */
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
  perPerson: 'write',
  ownTurns: true,
})

/**
 * Attaches the file once all its bytes have arrived, or without a notice keeps it for the one that is saved with it; repeated, it
 * answers the same.
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
  perPerson: 'write',
  ownTurns: true,
})

/** Cancels an upload and drops its bytes; cancelling one that is gone succeeds. */
export const cancelUpload = endpoint({
  path: '/bmt/v1/del/uploadInfo',
  summary: 'Give up an upload',
  access: 'signed-in',
  input: z.strictObject(uploadId.shape),
  output: z.object({}),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
  duringFullDisk: true,
  ownTurns: true,
})

/** The caller's uploads that no notice has taken yet, the newest first (rules/files#upload-before-notice). */
export const listUploads = endpoint({
  path: '/bmt/v1/get/uploads',
  summary: 'My uploads that no notice has yet',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({
    uploads: z.array(
      z.object({
        uploadId: z.string(),
        fileName: z.string(),
        fileSize: z.number(),
        /** 0: not told. */
        lastModified: z.number(),
        /** All of it has come: a notice may be saved with it. */
        stored: flag,
        registeredAt: timestamp,
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Deletes the file of a notice; what the client sends back of it is looked up (rules/files#opaque-names). */
export const deleteFile = endpoint({
  path: '/bmt/v1/del/fileInfo',
  summary: 'Delete the file of a notice',
  access: 'signed-in',
  others: ['autho_notice_manage'],
  input: z.strictObject({
    noticeId: recordId,
    fileId: line(60),
    storedName: z.pipe(oneOfList, line(200)),
    storedPath: line(200),
  }),
  output: z.object({}),
  errors: ['FORBIDDEN', 'NOTICE_MARKED', 'NOTICE_NOT_FOUND', 'FILE_NOT_FOUND'],
  audit: 'file.delete',
  personal: 'none',
  perPerson: 'write',
})

const savedFile = z.strictObject({ storedName: line(200), storedPath: line(200) })

/** The file raw, its name intact in Content-Disposition; byte ranges work (rules/files#download). */
export const downloadFile = endpoint({
  path: '/bmt/v1/dwn/fileInfo',
  summary: 'Download a file',
  access: 'signed-in',
  input: savedFile,
  output: z.object({}),
  errors: ['FILE_NOT_FOUND', 'RANGE_INVALID'],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
  answer: 'file',
})

/** A link for the browser's own download: for this person, this file, one download, at once (design/uploads-and-files#downloads). */
export const linkFile = endpoint({
  path: '/bmt/v1/dwn/linkInfo',
  summary: 'Make a link to download a file with GET',
  access: 'signed-in',
  input: savedFile,
  output: z.object({ url: z.string() }),
  errors: ['FILE_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
  ownTurns: true,
})
