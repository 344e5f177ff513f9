import { beginUpload, cancelUpload, finishUpload, MAX_MODIFIED } from '../../../../contract/notices.ts'
import { CallError } from '../../../api/call-error.ts'
import { call } from '../../../api/client.ts'
import { sendFile } from '../../../api/send-file.ts'
import { handleCallError } from '../../../api/error-handling.ts'
import { sessionUid } from '../../../session.ts'

/** State of an upload, as the screen shows it. */
export interface UploadState extends Progress {
  /**
   * `interrupted`: the connection broke; the upload resumes by itself. `signedOut`: it resumes when the user has logged in again.
   * `failed`: it resumes when the user retries. `stored`: all bytes are stored.
   */
  phase: 'starting' | 'sending' | 'interrupted' | 'signedOut' | 'finishing' | 'failed' | 'stored'
}

/** Upload to send, and the functions that follow it. */
interface Transfer {
  /** Name of the image in the text of a notice, if the file is one. */
  picture?: string
  /** uploadId of the upload to resume; undefined for a new one. */
  uploadId: string | undefined
  signal: AbortSignal
  /** Called with the ID of a new upload as soon as the server has created it, even if the signal has aborted. */
  onBegun: (uploadId: string) => void
  /** Called with every state that the screen should show. */
  show: (state: UploadState) => void
}

/** Milliseconds between two shown states while bytes are sent. */
const SHOW_EVERY_MS = 200
/** Milliseconds between two attempts. */
const PAUSE_MS = 1_500
/**
 * Milliseconds for which `transfer` repeats the last call while the server still writes the last bytes or scans the
 * file.
 */
const BUSY_FOR_MS = 180_000

/**
 * Sends a file to the server in chunks, and completes the upload; the server stores it until its notice is saved.
 * While the connection is broken, the server unavailable or the session expired, shows that state and retries
 * until the signal aborts (design/uploads-and-files#rows-before-bytes,
 * design/uploads-and-files#upload-before-the-notice).
 * @throws {CallError} for any other refusal or failure. The server keeps the bytes that it received, and the
 * caller may cancel the upload
 * @throws the reason of the signal if it aborts; the upload stays on the server
 */
export async function transfer(file: File, options: Transfer): Promise<void> {
  const { signal, onBegun, picture } = options
  let { uploadId } = options
  let last: UploadState = { ...createSpeed(file.size)(0, performance.now()), phase: 'starting' }
  const show = (state: UploadState) => {
    last = state
    options.show(state)
  }
  show(last)
  for (;;) {
    try {
      if (uploadId === undefined) {
        uploadId = await begin(file, picture)
        onBegun(uploadId)
      }
      signal.throwIfAborted()
      await send(uploadId, file, signal, show, last)
      show({ ...last, loadedBytes: file.size, secondsLeft: null, phase: 'finishing' })
      return await finish(uploadId, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof CallError)) throw error
      const isOver = error.status === 401
      if (!isOver && !error.isUnavailable) throw error
      if (isOver) handleCallError(error)
      show({ ...last, bytesPerSecond: 0, secondsLeft: null, phase: isOver ? 'signedOut' : 'interrupted' })
      do await pause(signal)
      while (sessionUid() === null)
    }
  }
}

/**
 * Creates the upload on the server, and returns its ID. Ignores the signal, because the caller must get the ID to
 * cancel the upload.
 */
async function begin(file: File, picture: string | undefined): Promise<string> {
  const about = { fileName: file.name, fileSize: file.size, lastModified: modifiedAt(file) }
  const input = { ...about, ...(picture !== undefined && { picture }) }
  return (await call(beginUpload, input, { inline: 'everything' })).uploadId
}

/**
 * Returns when a file was last modified, in milliseconds since 1970, within the range of the API: a wrong clock may date it
 * before 1970.
 */
export const modifiedAt = ({ lastModified }: File): number =>
  Math.min(Math.max(0, lastModified), MAX_MODIFIED)

/** Sends the missing bytes of an upload, and shows speed and interruptions. */
function send(
  uploadId: string,
  file: File,
  signal: AbortSignal,
  show: (state: UploadState) => void,
  before: UploadState,
): Promise<void> {
  // Measured again after every interruption, because earlier bytes say nothing about the current speed.
  let speed: ReturnType<typeof createSpeed> | undefined
  let shownAt = 0
  let last = before
  return sendFile(uploadId, file, {
    signal,
    inline: 'everything',
    onProgress(sentBytes) {
      const now = performance.now()
      speed ??= createSpeed(file.size)
      last = { ...speed(sentBytes, now), phase: 'sending' }
      if (now - shownAt < SHOW_EVERY_MS) return
      shownAt = now
      show(last)
    },
    onInterrupted() {
      speed = undefined
      show({ ...last, bytesPerSecond: 0, secondsLeft: null, phase: 'interrupted' })
    },
  })
}

/** Completes an upload whose bytes are sent. Repeats the call for BUSY_FOR_MS while the server answers UPLOAD_BUSY. */
async function finish(uploadId: string, signal: AbortSignal): Promise<void> {
  const until = performance.now() + BUSY_FOR_MS
  for (;;) {
    try {
      await call(finishUpload, { uploadId }, { signal, inline: 'everything' })
      return
    } catch (error) {
      const isBusy = error instanceof CallError && error.code === 'UPLOAD_BUSY'
      if (!isBusy || performance.now() > until) throw error
      await pause(signal)
    }
  }
}

/**
 * Waits PAUSE_MS until the next attempt, or until the browser is online again. Rejects with the reason of the
 * signal if it aborts.
 */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      if (signal.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(done, PAUSE_MS)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done, { once: true })
  })
}

/**
 * Returns whether a failed upload may be retried with the bytes that the server has: after a failure of the server
 * (500 or above) or its scanner, and while it is busy. Otherwise it has to begin again.
 */
export function mayBeTriedAgain({ status, code }: CallError): boolean {
  return status >= 500 || code === 'SCAN_FAILED' || code === 'UPLOAD_BUSY'
}

/**
 * Cancels an upload on the server, without waiting for the response. Shows no failure: the server's sweep deletes
 * the upload later.
 */
export function giveUp(uploadId: string): void {
  void call(cancelUpload, { uploadId }, { inline: 'everything' }).catch(() => {})
}

/** Progress of a transfer in bytes, bytes per second and seconds. */
interface Progress {
  loadedBytes: number
  totalBytes: number
  bytesPerSecond: number
  /** null while the speed is unknown or 0. */
  secondsLeft: number | null
}

/** Milliseconds over which the speed is averaged: long enough to be steady, short enough to follow changes. */
const WINDOW_MS = 5_000

/**
 * Creates a function that takes each measurement and returns the progress, with the speed averaged over 5 seconds. In
 * the first 0.2 seconds, also after an upload resumed at an earlier byte, the speed is 0 and the remaining time null.
 */
function createSpeed(totalBytes: number): (loadedBytes: number, nowMs: number) => Progress {
  let seen: { at: number; bytes: number }[] = []
  return (loadedBytes, nowMs) => {
    // After an interruption the upload may resume at an earlier byte.
    if (loadedBytes < (seen.at(-1)?.bytes ?? 0)) seen = []
    seen = [...seen.filter(({ at }) => nowMs - at <= WINDOW_MS), { at: nowMs, bytes: loadedBytes }]
    const first = seen[0]
    const seconds = first === undefined ? 0 : (nowMs - first.at) / 1000
    const bytesPerSecond = first === undefined || seconds < 0.2 ? 0 : (loadedBytes - first.bytes) / seconds
    const left = totalBytes - loadedBytes
    const secondsLeft = bytesPerSecond > 0 ? Math.ceil(left / bytesPerSecond) : null
    return { loadedBytes, totalBytes, bytesPerSecond, secondsLeft }
  }
}
