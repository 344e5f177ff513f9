import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useWatch } from 'react-hook-form'
import { countRecipients } from '../../../../contract/notices.ts'
import { call } from '../../../api/client.ts'
import { useRecordName } from '../../../layout/record-name.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { FormActions } from '../../../ui/form-grid.tsx'
import { LoadingOverlay } from '../../../ui/loading-overlay.tsx'
import { DraftOffer } from '../../../forms/draft-offer.tsx'
import { Form, useSchemaForm } from '../../../forms/form.tsx'
import { useAutosavedDraft } from '../../../forms/use-autosaved-draft.ts'
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts'
import { AttachmentField } from '../files/attachment-field.tsx'
import { emptyValues, inputOf, noticeForm, valuesOf } from './form-values.ts'
import type { Notice } from '../read/notice-card.tsx'
import { MemoField } from './memo-field.tsx'
import { SettingFields, TitleFields } from './notice-fields.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './notice-form.module.css'
import { board } from '../search/board.ts'
import { BoardCrumbs } from '../search/board-crumbs.tsx'
import { UploadProgress } from '../files/upload-progress.tsx'
import { usePictures } from '../files/use-pictures.ts'
import { useSaveNotice } from './use-save-notice.ts'
import { useUpload } from '../files/use-upload.ts'
import { ConflictCard } from '../../../forms/conflict-card.tsx'

/**
 * Shows the form of /notice/insert (rules/notices#notice-form) with one file, a link to the list and a button that
 * saves. Saving asks first, and states the number of recipients of an unpublished notice, whether a scheduled one is
 * published now, and whether readers must confirm. Then it opens the notice. Stores a draft in the browser and offers an earlier one. After another user's edit, shows that version,
 * and the next save overwrites it.
 * @param notice the notice to edit; undefined for a new one
 */
export function NoticeForm({ notice }: { notice: Notice | undefined }) {
  const { forms, notices } = usePortalMessages()
  const t = notices.form
  const navigate = useNavigate()
  const words = useSearch({ from: '/framed/notice/insert' })
  // The list that this was opened from.
  const search = board.write(board.read(words))
  const form = useSchemaForm(noticeForm, notice ? valuesOf(notice) : emptyValues())
  const nameUpload = (uploadId: string) => form.setValue('uploadId', uploadId, { shouldDirty: true })
  const uploadId = useWatch({ control: form.control, name: 'uploadId' })
  const upload = useUpload(uploadId, nameUpload)
  const pictures = usePictures(notice?.noticeId)
  const [isCleared, setCleared] = useState(false)
  const isDirty = form.formState.isDirty || upload.file !== null || isCleared
  const { allowLeave, guard } = useLeaveGuard(isDirty, uploadId === '' ? t.leaveText : t.leaveFileText)
  const { save, saved, theirs, setTheirs, busyWith, goBack, version, setVersion } = useSaveNotice({
    form,
    notice,
    upload,
    pictures,
    isCleared,
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
  const draft = useAutosavedDraft(form, {
    about: saved?.noticeId ?? 'new',
    href: `/notice/insert${saved === undefined ? '' : `?noticeId=${saved.noticeId}`}`,
    nameOf: ({ title }) => title,
    keepOnLeave: true,
    version,
  })
  const takeUpload = useEffectEvent(() => words.uploadId !== undefined && nameUpload(words.uploadId))
  useEffect(() => void takeUpload(), [])
  const pendingPictures = pictures.countPending(useWatch({ control: form.control, name: 'memo' }))
  const existing = uploadId === '' && !isCleared ? saved?.files[0] : null

  /** Asks whether to save, and saves. */
  async function submit(): Promise<void> {
    const { publish, mustRead } = form.getValues()
    const isPublishedNow = saved?.scheduled === true && publish === 'now'
    const [title, message] =
      saved === undefined
        ? [t.createTitle, t.createQuestion]
        : [t.editTitle, isPublishedNow ? t.publishQuestion : t.editQuestion]
    const mustReadText = saved?.mustRead && !saved.scheduled ? t.mustReadStillText : t.mustReadText
    const lines = async () => [await recipientsText(), publishText(), mustRead && mustReadText, message]
    const question =
      theirs === undefined
        ? { title, message: (await lines()).filter(Boolean).join('\n') }
        : { title, message: forms.overwriteText, isDanger: true }
    if (await dialogs.confirm(question)) await save()
  }

  /** Returns how many users a new notice will reach; '' for a published one, or if the server does not answer. */
  async function recipientsText(): Promise<string> {
    if (saved !== undefined && !saved.scheduled) return ''
    const { audienceAffiliations, audienceRoles } = inputOf(form.getValues(), false)
    // Without the number the question is still right, and saving reports a server that does not answer.
    const answer = await call(
      countRecipients,
      { audienceAffiliations, audienceRoles },
      { inline: 'everything' },
    ).catch(() => undefined)
    return answer === undefined ? '' : t.recipients(answer.recipientCount.toLocaleString())
  }

  /** Returns when a scheduled notice will be published; '' for others. */
  function publishText(): string {
    const { publishAt } = inputOf(form.getValues(), false)
    return publishAt === '' || saved?.scheduled === false ? '' : t.publishesAt(publishAt)
  }

  /** Shows an alert if the title is missing; other errors are only at their fields. */
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
      {draft.offer !== undefined && (
        <DraftOffer
          text={(draft.offer.values['uploadId'] ? t.draftWithFile : t.draft)(draft.offer.savedAt)}
          onDiscard={draft.discard}
          onResume={() => {
            setVersion(draft.offer?.version)
            draft.resume()
          }}
        />
      )}
      {theirs !== undefined && (
        <ChangedCard
          key={theirs.version}
          notice={theirs}
          onTake={() => {
            // The fields are registered again before one of them takes the focus.
            flushSync(() => {
              form.reset(valuesOf(theirs))
              setTheirs(undefined)
            })
            draft.forget()
            if (uploadId !== '') nameUpload(uploadId)
            form.setFocus('title')
          }}
        />
      )}
      <Form form={form} draft={null} onSubmit={submit} onWrong={tellWrong} className={layout.parts}>
        <Card>
          <TitleFields bulletName={notice?.bulletName} />
          <div className={styles.attachment}>
            <AttachmentField existing={existing} upload={upload} onClear={() => setCleared(true)} />
          </div>
          <MemoField
            source={{ noticeId: saved?.noticeId, pictures: saved?.pictures ?? [] }}
            pictures={pictures}
          />
        </Card>
        <Card title={t.settings}>
          <SettingFields notice={saved} />
        </Card>
        <FormActions
          start={<Button onClick={() => void navigate({ to: '/notice/search', search })}>{t.list}</Button>}
        >
          <output className={styles.kept}>
            {draft.savedTime !== undefined && t.draftKept(draft.savedTime)}
          </output>
          <Button type="submit" variant="primary">
            {t.save}
          </Button>
        </FormActions>
      </Form>
      {busyWith !== undefined && <LoadingOverlay label={busyWith} />}
      {goBack !== undefined && (
        <Dialog title={t.uploadTitle} onClose={goBack}>
          <div className={styles.waiting}>
            {upload.file !== null && upload.progress !== null && upload.progress.phase !== 'stored' && (
              <>
                <p>{t.waitingForFile(upload.file.name)}</p>
                <UploadProgress fileName={upload.file.name} progress={upload.progress} />
              </>
            )}
            {pendingPictures > 0 && <p>{t.waitingForPictures(pendingPictures)}</p>}
            <FormActions>
              <Button onClick={goBack}>{t.backToForm}</Button>
            </FormActions>
          </div>
        </Dialog>
      )}
    </Page>
  )
}

/**
 * Shows the version that another user saved while this form was open. Its button takes that version into the form
 * and drops the user's changes.
 */
function ChangedCard({ notice, onTake }: { notice: Notice; onTake: () => void }) {
  return (
    <ConflictCard isOverwriting onTake={onTake}>
      <h3>{notice.title}</h3>
      {notice.memo !== null && notice.memo !== '' && <div className={styles.theirsMemo}>{notice.memo}</div>}
    </ConflictCard>
  )
}
