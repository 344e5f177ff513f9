import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { listUploads } from '../../../../contract/notices.ts'
import { CallError } from '../../../api/call-error.ts'
import { recordQuery } from '../../../api/query.ts'
import { usePortalMessages } from '../../../language.tsx'
import { giveUp, mayBeTriedAgain, modified, transfer, type UploadState } from './transfer.ts'

/** An upload that no notice has taken yet, as the server knows it. */
export type WaitingUpload = OutputOf<typeof listUploads>['uploads'][number]

/** A file that this form sends, or has sent. */
interface Run {
  file: File
  stop: AbortController
  uploadId: string | undefined
  /** Resolves to whether all of it is stored; what it failed by is told at the field. Undefined once it is. */
  storing: Promise<boolean> | undefined
}

/**
 * The upload that a form will be saved with (rules/files#upload-before-notice): of a file that is picked here, sent at once, or one
 * that a draft names. A form that is left stops sending and leaves the upload to its draft.
 * @param named what the form holds: an uploadId, '' for none
 * @param name puts another into the form
 */
export function useUpload(named: string, name: (uploadId: string) => void) {
  const t = usePortalMessages().files
  const [sent, setSent] = useState<{ file: File; progress: UploadState } | null>(null)
  const [problem, setProblem] = useState<string>()
  const run = useRef<Run>(undefined)
  useEffect(() => () => run.current?.stop.abort(), [])

  // What the form names and did not send itself: of a draft, or chosen on home.
  const isAnothers = named !== '' && sent === null
  const found = useQuery({ ...recordQuery(listUploads, {}), enabled: isAnothers })
  const isKnown = isAnothers && found.isSuccess && !found.isFetching
  const waiting = isKnown ? found.data.uploads.find(({ uploadId }) => uploadId === named) : undefined

  function begin(file: File, uploadId: string | undefined, work: (self: Run) => Promise<boolean>): void {
    run.current?.stop.abort()
    const self: Run = { file, uploadId, stop: new AbortController(), storing: undefined }
    run.current = self
    setProblem(undefined)
    self.storing = work(self)
  }

  async function check(self: Run, isAllowed: Promise<boolean>): Promise<boolean> {
    if (!(await isAllowed)) {
      if (run.current === self) run.current = undefined
      return false
    }
    if (self.stop.signal.aborted) return false
    if (named !== '' && self.uploadId !== named) giveUp(named)
    return send(self)
  }

  async function send(self: Run): Promise<boolean> {
    const { file, stop } = self
    let progress: UploadState | undefined
    const show = (state: UploadState) => {
      progress = state
      if (run.current === self && !stop.signal.aborted) setSent({ file, progress: state })
    }
    try {
      await transfer(file, {
        uploadId: self.uploadId,
        signal: stop.signal,
        show,
        onBegun(uploadId) {
          self.uploadId = uploadId
          // Cancelled, or left, before anybody knew its number.
          if (stop.signal.aborted) giveUp(uploadId)
          else name(uploadId)
        },
      })
      self.storing = undefined
      if (progress !== undefined) show({ ...progress, phase: 'stored' })
      return run.current === self
    } catch (error) {
      if (stop.signal.aborted || run.current !== self) return false
      if (!(error instanceof CallError)) throw error
      return fail(self, error, progress)
    }
  }

  function fail(self: Run, error: CallError, progress: UploadState | undefined): false {
    if (mayBeTriedAgain(error) && progress !== undefined) {
      setSent({ file: self.file, progress: { ...progress, bytesPerSecond: 0, phase: 'failed' } })
    } else {
      if (self.uploadId !== undefined) giveUp(self.uploadId)
      forget()
    }
    setProblem(error.msg)
    return false
  }

  function forget(): void {
    run.current = undefined
    setSent(null)
    name('')
  }

  function retry(): void {
    if (run.current !== undefined) begin(run.current.file, run.current.uploadId, send)
  }

  return {
    /** The file that the notice will have. */
    file:
      sent?.file ?? (waiting?.stored === true ? { name: waiting.fileName, size: waiting.fileSize } : null),
    /** Of the file that was picked here. */
    progress: sent?.progress ?? null,
    /** An upload that stopped on its way: the same file, picked again, goes on with it. */
    unfinished: waiting?.stored === false ? waiting : null,
    /** Why there is no file, or none yet. */
    problem: problem ?? (isKnown && waiting === undefined ? t.uploadGone : undefined),
    setProblem,
    /**
     * Sends a file; another one that was on its way is given up.
     * @param isAllowed whether it may be attached: who saves waits for that too
     */
    start: (file: File, isAllowed: Promise<boolean>): void => {
      const goesOn = waiting !== undefined && isSameFile(waiting, file)
      begin(file, goesOn ? named : undefined, (self) => check(self, isAllowed))
    },
    retry,
    /** Nothing of it is kept, here or on the server. */
    cancel: (): void => {
      run.current?.stop.abort()
      const uploadId = run.current?.uploadId ?? named
      if (uploadId !== '') giveUp(uploadId)
      setProblem(undefined)
      forget()
    },
    /** Whether a file on its way arrives, one that failed once more; undefined where none is. */
    storing: (): Promise<boolean> | undefined => {
      if (sent?.progress.phase === 'failed') retry()
      return run.current?.storing
    },
  }
}

/** The upload of a form. */
export type FormUpload = ReturnType<typeof useUpload>

function isSameFile(upload: WaitingUpload, file: File): boolean {
  return (
    // macOS writes Korean in parts.
    upload.fileName === file.name.normalize('NFC').trim() &&
    upload.fileSize === file.size &&
    upload.lastModified === modified(file)
  )
}
