import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { listUploads } from '../../../../contract/notices.ts'
import { CallError } from '../../../api/call-error.ts'
import { recordQuery } from '../../../api/query.ts'
import { usePortalMessages } from '../../../language.tsx'
import { giveUp, mayBeTriedAgain, modifiedAt, transfer, type UploadState } from './transfer.ts'

/** Upload that no notice uses yet, as the API returns it. */
export type WaitingUpload = OutputOf<typeof listUploads>['uploads'][number]

/** File that this form sends or has sent. */
interface Run {
  file: File
  stop: AbortController
  uploadId: string | undefined
  /** Resolves to whether all bytes are stored; the field shows the reason of a failure. Undefined after success. */
  storing: Promise<boolean> | undefined
}

/**
 * Manages the upload that a form will be saved with (rules/files#upload-before-notice): a file picked here, which is sent
 * immediately, or one that a draft names. When the user leaves the form, sending stops and the draft keeps the upload.
 * @param named uploadId that the form holds, '' for none
 * @param name puts another uploadId into the form
 */
export function useUpload(named: string, name: (uploadId: string) => void) {
  const t = usePortalMessages().files
  const [sent, setSent] = useState<{ file: File; progress: UploadState } | null>(null)
  const [problem, setProblem] = useState<string>()
  const run = useRef<Run>(undefined)
  useEffect(() => () => run.current?.stop.abort(), [])

  // The form names an upload that it did not send: one of a draft, or one selected on the home page.
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
          // The user canceled or left before the server returned the uploadId.
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
    setProblem(error.message)
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
    /** The file that is saved with the notice; null for none, or for an interrupted upload. */
    file:
      sent?.file ?? (waiting?.stored === true ? { name: waiting.fileName, size: waiting.fileSize } : null),
    /** Progress of the file picked here. */
    progress: sent?.progress ?? null,
    /** An upload that was interrupted. It resumes when the user picks the same file again. */
    unfinished: waiting?.stored === false ? waiting : null,
    /** Message that explains why no file is stored; undefined if there is no problem. */
    problem: problem ?? (isKnown && waiting === undefined ? t.uploadGone : undefined),
    setProblem,
    /**
     * Sends a file and cancels the previous upload.
     * @param isAllowed whether the file may be attached. Saving waits for this too
     */
    start: (file: File, isAllowed: Promise<boolean>): void => {
      const goesOn = waiting !== undefined && isSameFile(waiting, file)
      begin(file, goesOn ? named : undefined, (self) => check(self, isAllowed))
    },
    retry,
    /** Deletes the upload here and on the server. */
    cancel: (): void => {
      run.current?.stop.abort()
      const uploadId = run.current?.uploadId ?? named
      if (uploadId !== '') giveUp(uploadId)
      setProblem(undefined)
      forget()
    },
    /** Resolves to whether the pending file is stored. Retries a failed one. @returns undefined if there is no upload */
    storing: (): Promise<boolean> | undefined => {
      if (sent?.progress.phase === 'failed') retry()
      return run.current?.storing
    },
  }
}

/** The upload of a form and its actions. */
export type FormUpload = ReturnType<typeof useUpload>

function isSameFile(upload: WaitingUpload, file: File): boolean {
  return (
    // macOS decomposes Korean file names (NFD).
    upload.fileName === file.name.normalize('NFC').trim() &&
    upload.fileSize === file.size &&
    upload.lastModified === modifiedAt(file)
  )
}
