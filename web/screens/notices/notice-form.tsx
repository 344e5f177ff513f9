import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useRecordName } from '../../frame/record-name.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions } from '../../ui/form-grid.tsx'
import { LoadingOverlay } from '../../ui/loading-overlay.tsx'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { useLeaveGuard } from '../../forms/use-leave-guard.ts'
import { isReadable } from '../../api/readable.ts'
import { AttachmentField, tellUnreadable } from './attachment-field.tsx'
import { ChangedCard } from './changed-card.tsx'
import { emptyValues, noticeForm, valuesOf, type NoticeFormValues } from './form-values.ts'
import type { Notice } from './notice-card.tsx'
import { MemoField, SettingFields, TitleFields } from './notice-fields.tsx'
import layout from '../../ui/layout.module.css'
import styles from './notice-form.module.css'
import { board } from './board.ts'
import { BoardCrumbs } from './board-crumbs.tsx'
import { findUnfinishedBeside } from './unfinished-upload.ts'
import { UploadProgress } from './upload-progress.tsx'
import { useDraft } from './use-draft.ts'
import { useSaveNotice } from './use-save-notice.ts'
import { giveUp } from './use-upload.ts'

interface Props {
  /** What is edited; undefined while a new one is written. */
  notice: Notice | undefined
  /** A new one was made and the form stays, because its file could not be saved. */
  onCreated?: (noticeId: string) => void
}

/** The form of /notice/insert (rules/notices#notice-form): bullet, title, one file, memo; list and save. */
export function NoticeForm({ notice, onCreated }: Props) {
  const t = usePortalMessages().notices.form
  const navigate = useNavigate()
  // The list that this was opened from.
  const search = board.write(board.read(useSearch({ from: '/framed/notice/insert' })))
  const form = useSchemaForm(noticeForm, notice ? valuesOf(notice) : emptyValues())
  const [chosen, setChosen] = useState<File | null>(null)
  const [isCleared, setCleared] = useState(false)
  const isDirty = form.formState.isDirty || chosen !== null || isCleared
  const { allowLeave, guard } = useLeaveGuard(isDirty, t.leaveText)
  const { save, saved, theirs, busyWith, upload, version, setVersion } = useSaveNotice({
    form,
    notice,
    file: { chosen, isCleared },
    async onCreated(noticeId, writer) {
      onCreated?.(noticeId)
      allowLeave()
      await navigate({
        to: '/notice/insert',
        search: { noticeId, writer, ...search },
        replace: true,
        resetScroll: false,
      })
      guard()
    },
    onSaved: () => draft.forget(),
    onFileRemains: () => setCleared(false),
    async onDone(noticeId, writer) {
      allowLeave()
      await navigate({ to: '/notice/detail', search: { noticeId, writer, ...search } })
      guard()
    },
    allowLeave,
  })
  useRecordName(notice?.title)
  // A notice that was made here and waits for its file is that notice from then on.
  const draft = useDraft(form, saved?.noticeId ?? 'new', version)
  const existing = saved?.files[0] ?? null

  async function submit(values: NoticeFormValues): Promise<void> {
    const [title, message] =
      saved === undefined ? [t.createTitle, t.createQuestion] : [t.editTitle, t.editQuestion]
    if (!(await dialogs.confirm({ title, message }))) return
    if (chosen === null || (await isReadable(chosen))) await save(values)
    else {
      setChosen(null)
      await tellUnreadable()
    }
  }

  async function tellWrong(): Promise<void> {
    if (form.getValues('title').trim() !== '') return
    await dialogs.alert({ title: t.titleMissing, message: t.titleMissingText })
    form.setFocus('title')
  }

  return (
    <Page
      title={saved === undefined ? t.createTitle : t.editTitle}
      crumbs={notice !== undefined && <BoardCrumbs />}
    >
      {draft.offer !== null && (
        <DraftOffer
          text={t.draft(draft.offer.savedAt)}
          onDiscard={draft.forget}
          onResume={() => {
            if (draft.offer === null) return
            for (const [field, value] of Object.entries(draft.offer.values))
              form.setValue(field as keyof NoticeFormValues, value, { shouldDirty: true })
            setVersion(draft.offer.version)
            draft.resume()
          }}
        />
      )}
      {theirs !== undefined && (
        <ChangedCard
          notice={theirs}
          onTake={() => {
            form.reset(valuesOf(theirs))
            draft.forget()
          }}
        />
      )}
      <Form form={form} draft={null} onSubmit={submit} onWrong={tellWrong} className={layout.parts}>
        <Card>
          <TitleFields bulletName={notice?.bulletName} />
          <div className={styles.attachment}>
            <AttachmentField
              existing={isCleared ? null : existing}
              chosen={chosen}
              onChoose={setChosen}
              onClear={() => (chosen === null ? setCleared(true) : setChosen(null))}
              unfinished={
                saved === undefined ? null : findUnfinishedBeside(saved.noticeId, existing?.fileId ?? '')
              }
              onGiveUp={({ uploadId }) => saved !== undefined && giveUp(saved.noticeId, uploadId)}
            />
          </div>
          <MemoField />
        </Card>
        <Card title={t.settings}>
          <SettingFields notice={saved?.record} />
        </Card>
        <FormActions
          start={<Button onClick={() => void navigate({ to: '/notice/search', search })}>{t.list}</Button>}
        >
          <output className={styles.kept}>{draft.keptAt !== undefined && t.draftKept(draft.keptAt)}</output>
          <Button type="submit" variant="primary">
            {t.save}
          </Button>
        </FormActions>
      </Form>
      {busyWith !== undefined && upload.progress === null && <LoadingOverlay label={busyWith} />}
      {upload.progress !== null && (
        <Dialog title={t.uploadTitle} isDismissable={false} onClose={upload.cancel}>
          <UploadProgress progress={upload.progress} onCancel={upload.cancel} />
        </Dialog>
      )}
    </Page>
  )
}
