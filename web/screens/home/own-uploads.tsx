import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { cancelUpload, listUploads } from '../../../contract/notices.ts'
import { query, refresh, useCall } from '../../api/query.ts'
import { listDrafts } from '../../drafts.ts'
import { LoadFailed } from '../../forms/load-failed.tsx'
import { useNetworkIdle } from '../../frame/use-network-idle.ts'
import { useSessionUserId } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { bytesAsText } from '../notices/files/bytes.ts'
import { useHomeTexts } from './home-texts.ts'
import panel from './notice-panel.module.css'
import styles from './to-do.module.css'

/**
 * Shows uploads for notices that the user has not saved, to resume or delete (rules/home#own-uploads). Few users have any, so they
 * are requested last and shown below everything else: nothing moves when they appear.
 */
export function OwnUploads() {
  const uploads = useQuery({ ...query(listUploads, {}), enabled: useNetworkIdle(true) })
  const t = useHomeTexts().uploads
  const userId = useSessionUserId()
  const cancel = useCall(cancelUpload)
  const list = useRef<HTMLUListElement>(null)
  if (uploads.data === undefined && !uploads.isError) return null
  if (uploads.data?.uploads.length === 0) return null
  const drafts = userId === null ? [] : listDrafts(userId)

  async function remove(uploadId: string, fileName: string): Promise<void> {
    if (!(await dialogs.confirm({ title: t.removeTitle, message: t.question(fileName), isDanger: true })))
      return
    await cancel.mutateAsync({ uploadId })
    await refresh(listUploads)
    // The button is removed with its row.
    const at = document.activeElement
    if (at === document.body || list.current?.contains(at)) list.current?.focus()
  }

  return (
    <Card title={t.heading}>
      {uploads.data === undefined ? (
        <LoadFailed query={uploads} message={t.failed} />
      ) : (
        <ul ref={list} className={styles.area} tabIndex={-1}>
          {uploads.data.uploads.map(({ uploadId, fileName, fileSize, stored }) => (
            <li key={uploadId} className={classes(panel.slot, styles.item)}>
              <div className={panel.words}>
                <span className={styles.key}>{fileName}</span>
                <span className={layout.hint}>
                  {[stored ? t.stored : t.unfinished, bytesAsText(fileSize)].join(' · ')}
                </span>
              </div>
              <Link
                to="/notice/insert"
                search={placeOf(uploadId, drafts)}
                className={styles.goOn}
                aria-label={t.goOnWith(fileName)}
              >
                {t.goOn}
              </Link>
              <Button
                size="small"
                isPending={cancel.isPending && cancel.variables.uploadId === uploadId}
                aria-label={t.removeOne(fileName)}
                onClick={() => void remove(uploadId, fileName)}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The form whose draft names the upload; a new notice where no draft of this browser does. */
function placeOf(uploadId: string, drafts: ReturnType<typeof listDrafts>): Record<string, string> {
  const draft = drafts.find(({ values }) => values['uploadId'] === uploadId)
  if (draft === undefined) return { uploadId }
  return Object.fromEntries(new URL(draft.href, location.origin).searchParams)
}
