import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { UseFormReturn } from 'react-hook-form'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import {
  createNotice,
  deleteFile,
  getNotice,
  listNotices,
  updateNotice,
} from '../../../../contract/notices.ts'
import { CallError } from '../../../api/call-error.ts'
import { call } from '../../../api/client.ts'
import { invalidate } from '../../../api/query.ts'
import { useHasFunction } from '../../../layout/use-permission.ts'
import { usePortalMessages } from '../../../language.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { inputOf, type NoticeFormValues } from './form-values.ts'
import type { Notice } from '../read/notice-card.tsx'
import type { FormPictures } from '../files/use-pictures.ts'
import type { FormUpload } from '../files/use-upload.ts'

/** The form to save, its parts, and callbacks. */
interface Options {
  form: UseFormReturn<NoticeFormValues>
  notice: Notice | undefined
  upload: FormUpload
  pictures: FormPictures
  /** True if the user removed the existing file of the notice. */
  isCleared: boolean
  /** Called when the text is saved, whatever happens to the old file. */
  onSaved: () => void
  /** Called if the old file could not be deleted. It is unchanged. */
  onFileRemains: () => void
  /** Called after the message of success, to open the notice. */
  onDone: (noticeId: string, writer: string) => Promise<void>
  /** Called when everything is saved, so that the user can leave without a confirmation. */
  allowLeave: () => void
}

/**
 * Returns `save`, which saves the form with its file and images (rules/notices#save-order), and its state. It
 * first waits for running uploads; meanwhile `goBack` is defined, and cancels the wait. Then it saves the text
 * with the new file, deletes a removed old file, shows a message and calls `onDone`. A failure keeps the form and
 * shows why.
 * After RECORD_CHANGED, `theirs` is the other user's version, and the next save overwrites it. `saved` is the
 * notice as last read. `busyWith` is the text of the overlay while calls run.
 */
export function useSaveNotice(options: Options) {
  const { form, upload, pictures, isCleared, onSaved, onFileRemains, onDone, allowLeave } = options
  const t = usePortalMessages().notices.form
  const [saved, setSaved] = useState(options.notice)
  const [theirs, setTheirs] = useState<Notice>()
  const [version, setVersion] = useState(options.notice?.version)
  const [busyWith, setBusyWith] = useState<string>()
  /** Cancels the wait for the file and returns to the form. */
  const [goBack, setGoBack] = useState<() => void>()
  const mayManage = useHasFunction('autho_notice_manage')
  // A user who has left the form must not get its messages on the next screen, or be redirected.
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])

  /** Saves the form, unless an upload is missing. Does nothing further once the user has left the form. */
  async function save(): Promise<void> {
    if (!(await waitForFiles())) return
    setBusyWith(t.saving)
    try {
      const text = await saveText()
      if (text === undefined || !isHere.current) return
      if (!(await removeFile())) return
      void invalidate(listNotices)
      // The page of the notice begins with this result: with the old one it would show what the edit has disabled.
      const refreshed = invalidate(getNotice)
      if (!isHere.current) return
      allowLeave()
      await endBusy(() =>
        dialogs.alert({ tone: 'success', message: saved === undefined ? t.done : t.edited }),
      )
      await refreshed
      if (isHere.current) await onDone(text.noticeId, text.userId)
    } finally {
      setBusyWith(undefined)
    }
  }

  /**
   * Waits until the file and the images are uploaded.
   * @returns false if the user cancels, an upload failed, or an interrupted one must be continued first
   */
  async function waitForFiles(): Promise<boolean> {
    if (upload.unfinished !== null) {
      upload.setProblem(t.fileUnfinished)
      return false
    }
    const pendingFiles = [upload.whenStored(), pictures.whenStored(form.getValues('memo'))].filter(
      (one) => one !== undefined,
    )
    if (pendingFiles.length === 0) return true
    const storing = Promise.all(pendingFiles).then((have) => have.every(Boolean))
    try {
      return await new Promise((resolve, reject) => {
        setGoBack(() => () => resolve(false))
        storing.then(resolve, reject)
      })
    } finally {
      flushSync(() => setGoBack(undefined))
    }
  }

  /** Creates or edits the notice with its new file and images. @returns undefined if that failed; then shows why */
  async function saveText(): Promise<OutputOf<typeof createNotice> | undefined> {
    // Read the values now: during validation the upload had no ID yet.
    const values = inputOf(form.getValues(), mayManage)
    try {
      const text = saved === undefined ? await call(createNotice, values) : await update(saved, values)
      onSaved()
      setTheirs(undefined)
      return text
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'RECORD_CHANGED' && saved !== undefined) await showTheirs(saved, error)
      else if (isAboutFile(error)) await showFileFailure(error)
      else await showFailure(error, saved === undefined ? t.createFailed : t.updateFailed)
      return undefined
    }
  }

  /** Edits a notice. Sends the publication time only of an unpublished one. */
  async function update(notice: Notice, { publishAt, ...values }: ReturnType<typeof inputOf>) {
    await call(updateNotice, {
      ...values,
      ...(notice.scheduled && { publishAt }),
      noticeId: notice.noticeId,
      replacesFileId: notice.files[0]?.fileId ?? '',
      ...(version !== undefined && { version }),
    })
    return notice
  }

  /**
   * Deletes the old file if the user removed it and no other replaces it.
   * @returns false if that failed, after an alert
   */
  async function removeFile(): Promise<boolean> {
    const [old] = saved?.files ?? []
    if (saved === undefined || old === undefined || !isCleared || form.getValues('uploadId') !== '')
      return true
    const { fileId, storedName, storedPath } = old
    try {
      await call(deleteFile, { noticeId: saved.noticeId, fileId, storedName, storedPath })
      return true
    } catch (error) {
      if (!isHere.current) return false
      onFileRemains()
      // The text is saved but the old file remains. From here on the form edits that notice.
      await readAgain(saved)
      form.reset(form.getValues())
      if (isHere.current) await showFailure(error, t.fileDeleteFailed)
      return false
    }
  }

  /** Reads the notice again; its version is then the one that the next save overwrites. @returns undefined on failure */
  async function readAgain({ noticeId }: Notice): Promise<Notice | undefined> {
    const fresh = await read(noticeId)
    if (fresh !== undefined) {
      setSaved(fresh)
      // The user has now seen the change and may save over it.
      setVersion(fresh.version)
    }
    return fresh
  }

  /** Shows the refusal RECORD_CHANGED, then the other user's version. */
  async function showTheirs(notice: Notice, error: CallError): Promise<void> {
    const fresh = await readAgain(notice)
    await showFailure(error, t.updateFailed)
    // Set after the alert, because closing the alert would move the focus again.
    setTheirs(fresh)
  }

  /** Shows a refusal about the file in an alert and at its field. Removes an upload that no longer exists. */
  async function showFileFailure(error: CallError): Promise<void> {
    // Another user attached a file in the meantime. The next save replaces it.
    if (error.code === 'FILE_ALREADY_ATTACHED' && saved !== undefined) await readAgain(saved)
    if (error.code === 'UPLOAD_NOT_FOUND') upload.cancel()
    upload.setProblem(error.message)
    await showFailure(error, t.fileSaveFailed)
  }

  /** Shows a failure in an alert, unless it was shown already or the user has left. @throws any error that is not a CallError */
  async function showFailure(error: unknown, title: string): Promise<void> {
    if (!(error instanceof CallError)) throw error
    if (!isHere.current) return
    flushSync(() => setBusyWith(undefined))
    if (!error.isHandled) await dialogs.alert({ title, message: error.message })
  }

  /** Ends the busy state before the alert opens, so that the focus can return to the button. */
  async function endBusy(then: () => Promise<void>): Promise<void> {
    flushSync(() => setBusyWith(undefined))
    await then()
  }

  return { save, saved, theirs, setTheirs, busyWith, goBack, version, setVersion }
}

/** Returns whether a refusal is about the file of the notice and not its text. */
function isAboutFile({ code }: CallError): boolean {
  return ['UPLOAD_NOT_FOUND', 'UPLOAD_INCOMPLETE', 'FILE_ALREADY_ATTACHED'].includes(code)
}

/** Reads a notice. @returns undefined on failure, because the next call reports it */
async function read(noticeId: string): Promise<Notice | undefined> {
  try {
    return await call(getNotice, { noticeId }, { inline: 'everything' })
  } catch (error) {
    if (error instanceof CallError) return undefined
    throw error
  }
}
