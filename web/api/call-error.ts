import type { ErrorCode, Failure } from '../../contract/errors.ts'

/**
 * A code of the contract, or `UNREACHABLE` when no answer came at all, or `FILE_UNREADABLE` when the file to be sent
 * cannot be read any more.
 */
export type CallErrorCode = ErrorCode | 'UNREACHABLE' | 'FILE_UNREADABLE'

/** A call that did not succeed. Its `message` is the server's `msg`, in the person's language. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** HTTP status; 0 when the server could not be reached. */
  readonly status: number
  readonly code: CallErrorCode
  /** The field that an INPUT_INVALID is about. */
  readonly field: string | undefined
  /** What a login that needs a second factor is finished with. */
  readonly ticket: string | undefined
  /** When a 429 or a 503 may be tried again. */
  readonly retryAfterSeconds: number | undefined
  /** The shared handling has told the person already; the caller shows nothing. */
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

  /** The server's refusal, in the names of the wire. */
  get msg(): string {
    return this.message
  }

  /** The server did not do it, whatever was asked: 500 and above, or no server at all (rules/frame#server-failure). */
  get isServerFailure(): boolean {
    return this.status === 0 || this.status >= 500
  }

  /**
   * The server is away for the moment (503, or a gateway or no server at all): trying again may help. A full disk waits for
   * somebody who makes room, and is told.
   */
  get isUnavailable(): boolean {
    return [0, 502, 503, 504].includes(this.status) && this.code !== 'DISK_FULL'
  }
}
