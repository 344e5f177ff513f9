import { useEffect, useRef, useState } from 'react'
import { beginUpload, cancelUpload, finishUpload } from '../../../contract/notices.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { sendFile } from '../../api/send-file.ts'
import { createSpeed, type Progress } from './speed.ts'

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
 * `upload` rejects with a CallError when it is refused, which the form tells: the file is still chosen there, and with an AbortError when `cancel` was called or the
 * screen was left; nothing of the file is kept then.
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
  const speed = createSpeed(file.size)
  let shownAt = 0
  let last: UploadState = { ...speed(0, performance.now()), fileName: file.name, phase: 'starting' }
  show(last)
  const { UPLOAD_ID } = await call(
    beginUpload,
    {
      NOTICE_ID: noticeId,
      ORIGINAL_FILE_NAME: file.name,
      FILE_SIZE: file.size,
      REPLACES_FILE_ID: replacesFileId,
    },
    { signal, inline: 'everything' },
  )
  try {
    await sendFile(UPLOAD_ID, file, {
      signal,
      onProgress(sentBytes) {
        const now = performance.now()
        last = { ...speed(sentBytes, now), fileName: file.name, phase: 'sending' }
        if (now - shownAt < SHOW_EVERY_MS) return
        shownAt = now
        show(last)
      },
      onInterrupted: () => show({ ...last, bytesPerSecond: 0, secondsLeft: null, phase: 'interrupted' }),
    })
    show({ ...last, loadedBytes: file.size, secondsLeft: null, phase: 'finishing' })
    await finish(UPLOAD_ID, signal)
  } catch (error) {
    // Should this be lost too, the server's own sweep takes what is left.
    void call(cancelUpload, { UPLOAD_ID }, { inline: 'everything' }).catch(() => {})
    throw error
  }
}

async function finish(UPLOAD_ID: string, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await call(finishUpload, { UPLOAD_ID }, { signal, inline: 'everything' })
      return
    } catch (error) {
      const mayPass = error instanceof CallError && (error.isUnavailable || error.code === 'UPLOAD_BUSY')
      if (!mayPass || tries >= FINISH_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, FINISH_PAUSE_MS))
    }
  }
}
