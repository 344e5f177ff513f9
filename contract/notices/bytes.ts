import { type Endpoint, sharedErrorsOf } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { beginUpload, downloadFile, FILE_LINKS_PATH, UPLOADS_PATH } from './files.ts'

/**
 * A request outside the envelope: the bytes of a file, as tus and as a browser's download manager move them, or a stream of
 * events.
 */
export interface ByteRoute {
  method: 'HEAD' | 'PATCH' | 'GET'
  /** Below /api; the part in braces is what a call answered. */
  url: `/${string}`
  /** One line for the OpenAPI document. */
  summary: string
  /** Who may make this call may make the request. */
  needs: Endpoint
  /** What it may be refused with, all of it. */
  errors: readonly ErrorCode[]
}

// There is no envelope to be wrong, and no body that is not the file.
const sharedBy = (call: Endpoint) =>
  sharedErrorsOf(call).filter(
    (code) => !['ENVELOPE_INVALID', 'INPUT_INVALID', 'PAYLOAD_TOO_LARGE'].includes(code),
  )

/** What becomes of an upload while it comes: its notice may go, its time be over. */
const UPLOAD_ERRORS = [
  'FORBIDDEN',
  'NOTICE_MARKED',
  'NOTICE_NOT_FOUND',
  'UPLOAD_NOT_FOUND',
  'UPLOAD_EXPIRED',
  'UPLOAD_BUSY',
  'FILE_INFECTED',
] as const satisfies readonly ErrorCode[]

/** HEAD of tus: how far an upload has come, so where it goes on (design/uploads-and-files#rows-before-bytes). */
export const lookAtUpload: ByteRoute = {
  method: 'HEAD',
  url: `${UPLOADS_PATH}/{uploadId}`,
  summary: 'How far an upload has come',
  needs: beginUpload,
  errors: [...sharedBy(beginUpload), 'INPUT_INVALID', ...UPLOAD_ERRORS],
}

/** PATCH of tus: what comes next of an upload (design/uploads-and-files#rows-before-bytes). */
export const continueUpload: ByteRoute = {
  method: 'PATCH',
  url: lookAtUpload.url,
  summary: 'Send what comes next of an upload',
  needs: beginUpload,
  errors: [...lookAtUpload.errors, 'UPLOAD_OFFSET', 'FILE_TOO_LARGE', 'STORAGE_FULL'],
}

/** GET of a link that `linkFile` answered, once (design/uploads-and-files#downloads). */
export const followLink: ByteRoute = {
  method: 'GET',
  url: `${FILE_LINKS_PATH}/{TOKEN}`,
  summary: 'Download a file by its link',
  needs: downloadFile,
  errors: [...sharedBy(downloadFile), 'FILE_LINK_INVALID', 'FILE_NOT_FOUND', 'RANGE_INVALID'],
}
