import type { DetailedError } from 'tus-js-client'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { ERRORS, type Failure } from '../../contract/errors.ts'
import type { PageMessages } from '../../contract/messages/ko.ts'
import { UPLOADS_PATH } from '../../contract/notices.ts'
import { currentLanguage, portalMessages } from '../language.tsx'
import { noteActivity } from '../activity.ts'
import { sessionUid } from '../session.ts'
import { CallError } from './call-error.ts'
import { isReadable } from './readable.ts'
import { type CallOptions, unreachable, withErrorHandling } from './client.ts'

/** Callbacks for the progress of an upload. */
interface SendOptions extends CallOptions {
  onProgress: (sentBytes: number) => void
  /** Called when the connection broke. Sending resumes by itself. */
  onInterrupted: () => void
}

/** Milliseconds of the pauses between attempts, about six minutes in total. They start again whenever bytes get through. */
const RETRY_MS = [500, 1_000, 2_000, 3_000, ...Array.from({ length: 70 }, () => 5_000)]

/**
 * Sends the bytes of an upload that `beginUpload` created (tus, design/uploads-and-files#rows-before-bytes), from the
 * first byte that the server lacks. The browser streams them from the disk. After a broken connection or a failure of
 * the server it retries for about six minutes without progress. Counts as activity of the user.
 * @throws {CallError} like `call`; FILE_UNREADABLE for a file that was deleted or changed. The abort reason of the
 * signal if it aborts
 */
export async function sendFile(uploadId: string, file: Blob, options: SendOptions): Promise<void> {
  const { Upload } = await import('tus-js-client')
  return withErrorHandling(
    options,
    () =>
      new Promise((resolve, reject) => {
        const upload = new Upload(file, {
          uploadUrl: `${API_BASE}${UPLOADS_PATH}/${uploadId}`,
          storeFingerprintForResuming: false,
          retryDelays: RETRY_MS,
          onBeforeRequest(request) {
            // Read for every request, because the user may have a new session.
            request.setHeader(SESSION_HEADER, sessionUid() ?? '')
            request.setHeader('Accept-Language', currentLanguage())
          },
          onShouldRetry(error) {
            const status = statusOf(error)
            const mayPass =
              (status === 0 || status >= 500 || status === 409 || status === 423) && !isDiskFull(error)
            if (mayPass) {
              options.onInterrupted()
              void endIfUnreadable()
            }
            return mayPass
          },
          onProgress(sentBytes) {
            noteActivity()
            options.onProgress(sentBytes)
          },
          onSuccess: () => resolve(),
          onError: (error) => reject(toCallError(error)),
        })
        // To the browser a deleted or changed file looks like a broken connection, and retries would never succeed.
        const endIfUnreadable = async () => {
          if (await isReadable(file)) return
          reject(unreadable())
          await upload.abort()
        }
        options.signal?.addEventListener('abort', () => {
          reject(options.signal?.reason as Error)
          void upload.abort()
        })
        if (options.signal?.aborted) reject(options.signal.reason as Error)
        else upload.start()
      }),
  )
}

/** Returns the error of a file that cannot be read: it was deleted or changed, or is a folder. */
function unreadable(): CallError {
  return new CallError(400, { code: 'FILE_UNREADABLE', msg: portalMessages().files.unreadable })
}

/** Returns the HTTP status of a failed request; 0 without a response. */
function statusOf(error: Error | DetailedError): number {
  return 'originalResponse' in error ? (error.originalResponse?.getStatus() ?? 0) : 0
}

/** Returns whether the server's disk is full. Retries do not help, so the user is notified and can resume later. */
const isDiskFull = (error: Error | DetailedError): boolean =>
  'originalResponse' in error && failureIn(error)?.code === 'DISK_FULL'

/** Returns the error of a failed upload, with the server's code and message if its response has them. */
function toCallError(error: Error | DetailedError): CallError {
  const status = statusOf(error)
  if (status === 0) return unreachable()
  const failure = failureIn(error as DetailedError)
  if (failure !== undefined) return new CallError(status, failure)
  // A HEAD response has no body, so the message comes from here.
  const code = CODE_OF[status] ?? (status >= 500 ? 'UNEXPECTED' : 'UPLOAD_NOT_FOUND')
  const { failures, files } = portalMessages()
  return new CallError(status, { code, msg: { ...failures, ...files.failures }[code] })
}

/** Error codes of responses without a body, by status. */
const CODE_OF: Record<number, keyof PageMessages['failures'] | keyof PageMessages['files']['failures']> = {
  401: 'SESSION_REQUIRED',
  403: 'FORBIDDEN',
  423: 'UPLOAD_BUSY',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
}

/** Returns code and message in the body of a refused request; undefined if it is not the server's. */
function failureIn(error: DetailedError): Failure | undefined {
  try {
    const body = JSON.parse(error.originalResponse?.getBody() ?? '') as Partial<Failure> | null
    const isFailure = body?.code !== undefined && body.code in ERRORS && body.msg !== undefined
    return isFailure ? (body as Failure) : undefined
  } catch {
    return undefined
  }
}
