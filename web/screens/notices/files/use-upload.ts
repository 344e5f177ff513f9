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
 * Manages the one file that a notice will be saved with (rules/files#upload-before-notice): a file that the user
 * picks here, which is sent immediately, or a pending upload that a draft or the home page names. When the user
 * leaves the form, sending stops, and the server keeps the upload for the draft.
 * @param formUploadId uploadId that the form holds, '' for none
 * @param setFormUploadId puts another uploadId into the form
 */
export function useUpload(formUploadId: string, setFormUploadId: (uploadId: string) => void) {
  const t = usePortalMessages().files
  const [sent, setSent] = useState<{ file: File; progress: UploadState } | null>(null)
  const [problem, setProblem] = useState<string>()
  const run = useRef<Run>(undefined)
  useEffect(() => () => run.current?.stop.abort(), [])

  // The form holds an upload that this page did not send: one of a draft, or one selected on the home page.
  const isSentElsewhere = formUploadId !== '' && sent === null
  const found = useQuery({ ...recordQuery(listUploads, {}), enabled: isSentElsewhere })
  const isKnown = isSentElsewhere && found.isSuccess && !found.isFetching
  const waiting = isKnown ? found.data.uploads.find(({ uploadId }) => uploadId === formUploadId) : undefined

  /** Replaces the current run, whose sending stops, by one for a file. */
  function begin(file: File, uploadId: string | undefined, work: (self: Run) => Promise<boolean>): void {
    run.current?.stop.abort()
    const self: Run = { file, uploadId, stop: new AbortController(), storing: undefined }
    run.current = self
    setProblem(undefined)
    self.storing = work(self)
  }

  /** Waits until the file is found acceptable, cancels the previous upload on the server, and sends the file. */
  async function check(self: Run, isAllowed: Promise<boolean>): Promise<boolean> {
    if (!(await isAllowed)) {
      if (run.current === self) run.current = undefined
      return false
    }
    if (self.stop.signal.aborted) return false
    if (formUploadId !== '' && self.uploadId !== formUploadId) giveUp(formUploadId)
    return send(self)
  }

  /** Sends the file of a run. @returns whether all its bytes are stored and it is still the current run */
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
          else setFormUploadId(uploadId)
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

  /** Shows a failure. Keeps the file for a retry if that may succeed, otherwise cancels the upload and removes the file. */
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

  /** Removes the file from the form. */
  function forget(): void {
    run.current = undefined
    setSent(null)
    setFormUploadId('')
  }

  /** Sends the file of the current run again, from the bytes that the server has. */
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
    /** Message for the field: why sending failed, or that the upload of the draft no longer exists; undefined if all is well. */
    problem: problem ?? (isKnown && waiting === undefined ? t.uploadGone : undefined),
    setProblem,
    /**
     * Sends a file. Resumes the interrupted upload if this is its file; otherwise cancels the previous upload.
     * @param isAllowed resolves to whether the file may be attached; until then nothing is sent, and saving waits
     */
    start: (file: File, isAllowed: Promise<boolean>): void => {
      const goesOn = waiting !== undefined && isSameFile(waiting, file)
      begin(file, goesOn ? formUploadId : undefined, (self) => check(self, isAllowed))
    },
    retry,
    /** Removes the file from the form, and cancels its upload on the server. */
    cancel: (): void => {
      run.current?.stop.abort()
      const uploadId = run.current?.uploadId ?? formUploadId
      if (uploadId !== '') giveUp(uploadId)
      setProblem(undefined)
      forget()
    },
    /** Sends a failed file again, and resolves to whether the file is stored. @returns undefined if no file is being sent */
    whenStored: (): Promise<boolean> | undefined => {
      if (sent?.progress.phase === 'failed') retry()
      return run.current?.storing
    },
  }
}

/** The upload of a form and its actions. */
export type FormUpload = ReturnType<typeof useUpload>

/**
 * Returns whether a picked file has name, size and time of an interrupted upload, so that the upload can resume
 * with it.
 */
function isSameFile(upload: WaitingUpload, file: File): boolean {
  return (
    // macOS decomposes Korean file names (NFD).
    upload.fileName === file.name.normalize('NFC').trim() &&
    upload.fileSize === file.size &&
    upload.lastModified === modifiedAt(file)
  )
}
