import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { UseFormReturn } from 'react-hook-form'
import type { InputOf } from '../../../contract/endpoint.ts'
import { createNotice, deleteFile, getNotice, listNotices, updateNotice } from '../../../contract/notices.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { invalidate } from '../../api/query.ts'
import { handleShared } from '../../api/shared-handling.ts'
import { useHolds } from '../../frame/use-holds.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { inputOf, type NoticeFormValues } from './form-values.ts'
import type { Notice } from './notice-card.tsx'
import { useUpload } from './use-upload.ts'

interface Options {
  form: UseFormReturn<NoticeFormValues>
  notice: Notice | undefined
  file: { chosen: File | null; isCleared: boolean }
  /** A notice was made, and the form stays with it. */
  onCreated: (noticeId: string, writer: string) => Promise<void>
  /** The text is safe, whatever becomes of the file. */
  onSaved: () => void
  /** The old file could not be deleted: it is there as before. */
  onFileRemains: () => void
  onDone: (noticeId: string, writer: string) => Promise<void>
  /** All is saved: no question on the way. */
  allowLeave: () => void
}

/**
 * Saves the form and then its file (rules/notices#save-order). The order keeps everything: the text first, then the
 * file, which takes the place of the old one on the server only when all of it has come. What fails leaves the form as
 * it is, to be saved once more; a notice that was made by then is edited from there on.
 */
export function useSaveNotice(options: Options) {
  const { form, file, onCreated, onSaved, onFileRemains, onDone, allowLeave } = options
  const t = usePortalMessages().notices.form
  const [saved, setSaved] = useState<Saved | undefined>(
    options.notice && { ...options.notice, record: options.notice },
  )
  const [theirs, setTheirs] = useState<Notice>()
  const [version, setVersion] = useState(options.notice?.version)
  const [busyWith, setBusyWith] = useState<string>()
  const upload = useUpload()
  const mayManage = useHolds('autho_notice_manage')
  // A person who left meanwhile is told nothing of this form on the next screen, and led nowhere.
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])

  async function save(values: NoticeFormValues): Promise<void> {
    setBusyWith(t.saving)
    try {
      const isNew = saved === undefined
      const text = await saveText(values)
      if (text === undefined) return
      // Before the file: after a reload while it is on its way the notice is there to go on with.
      if (isNew && file.chosen !== null && isHere.current) await onCreated(text.noticeId, text.userId)
      if (isHere.current && !(await saveFile(text))) return
      void invalidate(listNotices)
      if (!isHere.current) return
      allowLeave()
      await endBusy(() => dialogs.alert({ tone: 'success', message: isNew ? t.done : t.edited }))
      if (isHere.current) await onDone(text.noticeId, text.userId)
    } finally {
      setBusyWith(undefined)
    }
  }

  async function saveText(values: NoticeFormValues): Promise<Saved | undefined> {
    try {
      const text =
        saved === undefined ? await create(inputOf(values, mayManage)) : await update(saved, values)
      onSaved()
      setTheirs(undefined)
      return text
    } catch (error) {
      if (error instanceof CallError && error.code === 'RECORD_CHANGED' && saved !== undefined) {
        await showTheirs(saved, error)
      } else await tell(error, saved === undefined ? t.createFailed : t.updateFailed)
      return undefined
    }
  }

  async function update(notice: Saved, values: NoticeFormValues): Promise<Saved> {
    const { publishAt, ...input } = inputOf(values, mayManage)
    await call(updateNotice, {
      ...input,
      ...(notice.record?.scheduled !== false && { publishAt }),
      noticeId: notice.noticeId,
      ...(version !== undefined && { version }),
    })
    return notice
  }

  /** @returns whether the notice has the file that the form shows */
  async function saveFile(notice: Saved): Promise<boolean> {
    const [old] = notice.files
    try {
      if (file.chosen !== null) {
        await upload.upload(
          notice.noticeId,
          file.chosen,
          old === undefined ? {} : { replacesFileId: old.fileId },
        )
      } else if (file.isCleared && old !== undefined) {
        await call(deleteFile, {
          noticeId: notice.noticeId,
          fileId: old.fileId,
          storedName: old.storedName,
          storedPath: old.storedPath,
        })
      }
      return true
    } catch (error) {
      if (!isHere.current) return false
      if (file.chosen === null) onFileRemains()
      await goOnFrom(notice)
      if (!isHere.current) return false
      if (isStopped(error))
        await endBusy(() =>
          dialogs.alert({ tone: 'info', title: t.uploadStopped, message: t.fileSaveFailedText }),
        )
      else
        await tell(
          error,
          file.chosen === null ? t.fileDeleteFailed : t.fileSaveFailed,
          file.chosen === null || isUnreadable(error) ? undefined : t.fileSaveFailedText,
        )
      return false
    }
  }

  /** The text is saved and its file is not: from here the form edits what is saved. */
  async function goOnFrom(notice: Saved): Promise<void> {
    const fresh = await read(notice.noticeId)
    setSaved(fresh === undefined ? notice : { ...fresh, record: fresh })
    setVersion(fresh?.version)
    form.reset(form.getValues())
  }

  async function showTheirs({ noticeId }: Saved, error: CallError): Promise<void> {
    const fresh = await read(noticeId)
    if (fresh !== undefined) {
      setTheirs(fresh)
      setSaved({ ...fresh, record: fresh })
      // A person who saves now has seen it.
      setVersion(fresh.version)
    }
    await tell(error, t.updateFailed)
  }

  async function tell(error: unknown, title: string, more?: string): Promise<void> {
    if (!(error instanceof CallError)) throw error
    if (!isHere.current) return
    // An upload leaves everything to this form; who may not go on is led away as ever (rules/frame#session-failure),
    // and so is everybody when the server failed (rules/frame#server-failure).
    const isShared = error.status === 401 || error.status === 403 || error.status >= 500
    flushSync(() => setBusyWith(undefined))
    if (!error.isHandled && isShared) handleShared(error)
    if (error.isHandled) return
    const message = more === undefined ? error.msg : `${error.msg}\n${more}`
    await endBusy(() => dialogs.alert({ title, message }))
  }

  /** Gone before the alert comes, so that the focus finds its way back to the button. */
  async function endBusy(then: () => Promise<void>): Promise<void> {
    flushSync(() => setBusyWith(undefined))
    await then()
  }

  return { save, saved, theirs, busyWith, upload, version, setVersion }
}

/** What is known of a notice whose text is saved. */
type Saved = Pick<Notice, 'noticeId' | 'userId' | 'files'> & {
  /** All of it, unless it could not be read yet. */
  record: Notice | undefined
}

async function create(input: InputOf<typeof createNotice>): Promise<Saved> {
  return { ...(await call(createNotice, input)), files: [], record: undefined }
}

/** The notice as it is now; undefined when it cannot be read, which what comes next will tell. */
async function read(noticeId: string): Promise<Notice | undefined> {
  try {
    return await call(getNotice, { noticeId }, { inline: 'everything' })
  } catch (error) {
    if (error instanceof CallError) return undefined
    throw error
  }
}

/** Choosing it anew helps, trying again does not. */
function isUnreadable(error: unknown): boolean {
  return error instanceof CallError && error.code === 'FILE_UNREADABLE'
}

function isStopped(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
