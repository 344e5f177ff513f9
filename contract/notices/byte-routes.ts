import { type Endpoint, sharedErrorsOf } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { beginUpload, downloadFile, FILE_LINKS_PATH, UPLOADS_PATH } from './files.ts'

/** A request outside the envelope: the bytes of a file, for tus and for a browser's download manager, or an event stream. */
export interface ByteRoute {
  method: 'HEAD' | 'PATCH' | 'GET'
  /** Path below /api; the part in braces is a value that a call returned. */
  url: `/${string}`
  /** One line for the OpenAPI document. */
  summary: string
  /** The call whose access policy applies to the request. */
  needs: Endpoint
  /** All error codes of the request. */
  errors: readonly ErrorCode[]
}

// The request has no envelope that could be invalid, and no body other than the file.
const sharedBy = (call: Endpoint) =>
  sharedErrorsOf(call).filter(
    (code) => !['ENVELOPE_INVALID', 'INPUT_INVALID', 'PAYLOAD_TOO_LARGE'].includes(code),
  )

/** The errors of an upload in progress: for example, its notice may be deleted or the upload may expire. */
const UPLOAD_ERRORS = [
  'FORBIDDEN',
  'NOTICE_MARKED',
  'NOTICE_NOT_FOUND',
  'UPLOAD_NOT_FOUND',
  'UPLOAD_EXPIRED',
  'UPLOAD_BUSY',
  'FILE_INFECTED',
] as const satisfies readonly ErrorCode[]

/**
 * HEAD of tus: returns how many bytes of an upload are stored, so that the client can resume
 * (design/uploads-and-files#rows-before-bytes).
 */
export const lookAtUpload: ByteRoute = {
  method: 'HEAD',
  url: `${UPLOADS_PATH}/{uploadId}`,
  summary: 'Read the offset of an upload',
  needs: beginUpload,
  errors: [...sharedBy(beginUpload), 'INPUT_INVALID', ...UPLOAD_ERRORS],
}

/** PATCH of tus: stores the next bytes of an upload (design/uploads-and-files#rows-before-bytes). */
export const continueUpload: ByteRoute = {
  method: 'PATCH',
  url: lookAtUpload.url,
  summary: 'Send the next bytes of an upload',
  needs: beginUpload,
  errors: [...lookAtUpload.errors, 'UPLOAD_OFFSET', 'FILE_TOO_LARGE', 'STORAGE_FULL'],
}

/** GET of a link that `linkFile` returned; works once (design/uploads-and-files#downloads). */
export const followLink: ByteRoute = {
  method: 'GET',
  url: `${FILE_LINKS_PATH}/{TOKEN}`,
  summary: 'Download a file by its link',
  needs: downloadFile,
  errors: [...sharedBy(downloadFile), 'FILE_LINK_INVALID', 'FILE_NOT_FOUND', 'RANGE_INVALID'],
}
