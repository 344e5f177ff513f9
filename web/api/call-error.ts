import type { ErrorCode, Failure } from '../../contract/errors.ts'

/**
 * A code of the contract; `UNREACHABLE` if no response arrived; `FILE_UNREADABLE` if the browser can no longer read
 * the file to be sent.
 */
export type CallErrorCode = ErrorCode | 'UNREACHABLE' | 'FILE_UNREADABLE'

/** Thrown when a call fails. `message` is the server's `msg`, in the user's language. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** HTTP status; 0 when the server could not be reached. */
  readonly status: number
  readonly code: CallErrorCode
  /** Name of the invalid field in the contract, for INPUT_INVALID. */
  readonly field: string | undefined
  /** Login ticket for the second step, if the login needs a second factor. */
  readonly ticket: string | undefined
  /** Seconds until a 429 or 503 may be retried. */
  readonly retryAfterSeconds: number | undefined
  /**
   * True if the global error handling has shown the error or redirected, or the user has cancelled; the caller shows
   * nothing then.
   */
  isHandled = false

  constructor(
    status: number,
    failure: Omit<Failure, 'code'> & { code: CallErrorCode },
    retryAfterSeconds?: number,
  ) {
    super(failure.msg)
    this.status = status
    this.code = failure.code
    this.field = failure.field
    this.ticket = failure.ticket
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** True if the server failed: 500 and above, or no response (rules/frame#server-failure). */
  get isServerFailure(): boolean {
    return this.status === 0 || this.status >= 500
  }

  /** True if a retry may help: no response, or a 502, 503 or 504. Not for a full disk, which stays full until an operator frees space. */
  get isUnavailable(): boolean {
    return [0, 502, 503, 504].includes(this.status) && this.code !== 'DISK_FULL'
  }
}
