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

/** How sending a file goes on. */
interface SendOptions extends CallOptions {
  onProgress: (sentBytes: number) => void
  /** The connection broke; it goes on by itself where it stopped. */
  onInterrupted: () => void
}

// Six minutes of trying; each time that bytes get through it begins anew.
const RETRY_MS = [500, 1_000, 2_000, 3_000, ...Array.from({ length: 70 }, () => 5_000)]

/**
 * Sends the bytes of an upload that `beginUpload` began (tus, design/uploads-and-files#rows-before-bytes): on the disk they stay where they are, the
 * browser reads them as they go. A connection that breaks is gone on with where it stopped.
 * @throws {CallError} like `call`; an AbortError when the signal says so
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
            // Asked for every request: the same person may have a new session by now.
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
        // A file that is gone or was changed looks to the browser like a connection that broke, and never comes back.
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

/** The file to be sent cannot be read: gone, changed, or a folder. */
export function unreadable(): CallError {
  return new CallError(400, { code: 'FILE_UNREADABLE', msg: portalMessages().files.unreadable })
}

function statusOf(error: Error | DetailedError): number {
  return 'originalResponse' in error ? (error.originalResponse?.getStatus() ?? 0) : 0
}

/** Nothing passes by itself: the person is told, and goes on with it when there is room. */
const isDiskFull = (error: Error | DetailedError): boolean =>
  'originalResponse' in error && failureIn(error)?.code === 'DISK_FULL'

function toCallError(error: Error | DetailedError): CallError {
  const status = statusOf(error)
  if (status === 0) return unreachable()
  const failure = failureIn(error as DetailedError)
  if (failure !== undefined) return new CallError(status, failure)
  // HEAD answers no words.
  const code = CODE_OF[status] ?? (status >= 500 ? 'UNEXPECTED' : 'UPLOAD_NOT_FOUND')
  const { failures, files } = portalMessages()
  return new CallError(status, { code, msg: { ...failures, ...files.failures }[code] })
}

const CODE_OF: Record<number, keyof PageMessages['failures'] | keyof PageMessages['files']['failures']> = {
  401: 'SESSION_REQUIRED',
  403: 'FORBIDDEN',
  423: 'UPLOAD_BUSY',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
}

function failureIn(error: DetailedError): Failure | undefined {
  try {
    const body = JSON.parse(error.originalResponse?.getBody() ?? '') as Partial<Failure> | null
    const isFailure = body?.code !== undefined && body.code in ERRORS && body.msg !== undefined
    return isFailure ? (body as Failure) : undefined
  } catch {
    return undefined
  }
}
