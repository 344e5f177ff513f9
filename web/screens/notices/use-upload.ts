import { useEffect, useRef, useState } from 'react'
import { beginUpload, cancelUpload, finishUpload } from '../../../contract/notices.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { sendFile } from '../../api/send-file.ts'
import { createSpeed, type Progress } from './speed.ts'
import { findUnfinished, forgetUpload, isSameFile, rememberUpload } from './unfinished-upload.ts'

/** An upload as the screen shows it. */
export interface UploadState extends Progress {
  fileName: string
  /** `interrupted`: the connection broke and it goes on by itself. */
  phase: 'starting' | 'sending' | 'interrupted' | 'finishing'
}

const SHOW_EVERY_MS = 200

/** A server that is away for a moment, or still writes the last bytes. */
const FINISH_TRIES = 8
const FINISH_PAUSE_MS = 1_500

/**
 * Attaches a file to a notice, streamed from the disk, and goes on by itself after a broken connection (ADR 015).
 * `upload` rejects with a CallError when it is refused, which the form tells: the file is still chosen there. It rejects
 * with an AbortError when `cancel` was called or the screen was left; nothing of the file is kept then. What a server
 * that is away, a reload or a crash ended goes on when the same file is uploaded again within a day.
 */
export function useUpload() {
  const [progress, setProgress] = useState<UploadState | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function upload(
    noticeId: string,
    file: File,
    options: { replacesFileId?: string } = {},
  ): Promise<void> {
    const stop = new AbortController()
    running.current = stop
    try {
      await attach(noticeId, file, options.replacesFileId ?? '', stop.signal, setProgress)
    } finally {
      setProgress(null)
    }
  }

  return { progress, upload, cancel: () => running.current?.abort() }
}

async function attach(
  noticeId: string,
  file: File,
  replacesFileId: string,
  signal: AbortSignal,
  show: (state: UploadState) => void,
): Promise<void> {
  const begun = await goOnOrBegin(noticeId, file, replacesFileId, signal)
  try {
    await sendAndFinish(begun.uploadId, file, signal, show)
  } catch (error) {
    const isGone = error instanceof CallError && error.code === 'UPLOAD_NOT_FOUND'
    if (mayGoOn(error)) throw error
    giveUp(noticeId, begun.uploadId)
    // What was remembered of it was more than the server knows: from the beginning then.
    if (!begun.isOld || !isGone) throw error
    await attach(noticeId, file, replacesFileId, signal, show)
    return
  }
  forgetUpload(noticeId)
}

/** The upload of this very file that has not ended, or a new one; another one that was remembered is given up. */
async function goOnOrBegin(noticeId: string, file: File, replacesFileId: string, signal: AbortSignal) {
  const old = findUnfinished(noticeId)
  if (old !== null) {
    // Its last answer was lost and it is the notice's file by now: finishing it again says so, or that it is gone.
    const isAttached = old.uploadId === replacesFileId
    if (isSameFile(old, file) && (isAttached || old.replacesFileId === replacesFileId)) {
      return { uploadId: old.uploadId, isOld: true }
    }
    giveUp(noticeId, old.uploadId)
  }
  const { uploadId } = await call(
    beginUpload,
    {
      noticeId,
      fileName: file.name,
      fileSize: file.size,
      replacesFileId,
    },
    { signal, inline: 'everything' },
  )
  rememberUpload(noticeId, file, uploadId, replacesFileId)
  return { uploadId, isOld: false }
}

/** Whether the same upload may still come to its end: the server, the connection or the session is what failed. */
function mayGoOn(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  const { status, code, isUnavailable } = error
  return isUnavailable || status >= 500 || status === 401 || code === 'UPLOAD_BUSY'
}

/** Nobody goes on with it: neither this browser nor the server keeps it. */
export function giveUp(noticeId: string, uploadId: string): void {
  forgetUpload(noticeId)
  // Should this be lost too, the server's own sweep takes what is left.
  void call(cancelUpload, { uploadId }, { inline: 'everything' }).catch(() => {})
}

async function sendAndFinish(
  uploadId: string,
  file: File,
  signal: AbortSignal,
  show: (state: UploadState) => void,
): Promise<void> {
  // Measured anew after every break: earlier bytes say nothing of the speed.
  let speed: ReturnType<typeof createSpeed> | undefined
  let shownAt = 0
  let last: UploadState = {
    ...createSpeed(file.size)(0, performance.now()),
    fileName: file.name,
    phase: 'starting',
  }
  show(last)
  await sendFile(uploadId, file, {
    signal,
    // The form tells it, once it was tried for minutes.
    inline: 'everything',
    onProgress(sentBytes) {
      const now = performance.now()
      speed ??= createSpeed(file.size)
      last = { ...speed(sentBytes, now), fileName: file.name, phase: 'sending' }
      if (now - shownAt < SHOW_EVERY_MS) return
      shownAt = now
      show(last)
    },
    onInterrupted() {
      speed = undefined
      show({ ...last, bytesPerSecond: 0, secondsLeft: null, phase: 'interrupted' })
    },
  })
  show({ ...last, loadedBytes: file.size, secondsLeft: null, phase: 'finishing' })
  await finish(uploadId, signal)
}

async function finish(uploadId: string, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await call(finishUpload, { uploadId }, { signal, inline: 'everything' })
      return
    } catch (error) {
      const mayPass = error instanceof CallError && (error.isUnavailable || error.code === 'UPLOAD_BUSY')
      if (!mayPass || tries >= FINISH_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, FINISH_PAUSE_MS))
    }
  }
}
