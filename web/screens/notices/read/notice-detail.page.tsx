import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { getNotice } from '../../../../contract/notices.ts'
import { prefetch, recordQuery } from '../../../api/query.ts'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { RecordStates } from '../../../forms/record-states.tsx'
import { useRecordName } from '../../../layout/record-name.ts'
import { usePortalMessages } from '../../../language.tsx'
import { useSessionUserId } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/card.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import { History } from '../../audit/history.tsx'
import { Acknowledge, ReadConfirmation } from './read-confirmation.tsx'
import { CommentsCard } from './comments-card.tsx'
import { NoticeActions, Neighbours } from './notice-actions.tsx'
import { type Notice, NoticeCard, NoticeTitle } from './notice-card.tsx'
import { board } from '../search/board.ts'
import { BoardCrumbs } from '../search/board-crumbs.tsx'
import { UnreadCard } from './unread-card.tsx'

/** Query of a notice, whose call counts a view. */
const noticeQuery = (noticeId: string) => recordQuery(getNotice, { noticeId })

/** Prefetches the notice whose ID is in the URL, if any. */
export function load({ noticeId }: { noticeId?: string }): void {
  if (noticeId !== undefined) void prefetch(noticeQuery(noticeId))
}

/**
 * Shows the page /notice/detail (rules/notices#notice-detail): the notice of `noticeId` with its actions, comments and
 * readers. Without an ID it redirects to the list. `writer` and `user_id` in the URL are accepted but ignored: the
 * author and the permissions come from the server (rules/notices#author).
 */
export default function NoticeDetail() {
  const { titles, notices } = usePortalMessages()
  const { noticeId } = useSearch({ from: '/framed/notice/detail' })
  const notice = useQuery({ ...noticeQuery(noticeId ?? ''), enabled: noticeId !== undefined })
  if (noticeId === undefined) return <Navigate to="/notice/search" replace />
  return (
    <Page
      title={notice.data ? <NoticeTitle notice={notice.data} /> : titles.noticeDetail}
      crumbs={<BoardCrumbs />}
      actions={
        <Button isDisabled={!notice.data} onClick={() => notice.data && void print(notice.data)}>
          {notices.detail.print}
        </Button>
      }
    >
      <OpenNotice key={noticeId} noticeId={noticeId} />
    </Page>
  )
}

/**
 * Prints the notice with all its images, including those not loaded yet. If they cannot be loaded, prints it without
 * them.
 */
async function print(notice: Notice): Promise<void> {
  if (notice.pictures.length > 0) await showAll(notice).catch(() => {})
  window.print()
}

/** Loads the Markdown renderer and all images of a notice, and waits until the page shows them. */
async function showAll({ noticeId, pictures }: Notice): Promise<void> {
  const [{ loadPictures }] = await Promise.all([
    import('../files/pictures.ts'),
    import('./markdown-text.tsx'),
  ])
  await loadPictures(noticeId, pictures)
  // The images are in the page after it has been painted again.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  await Promise.allSettled(Array.from(document.images, (image) => image.decode()))
}

/**
 * Shows a notice: its content, then, as far as they apply, read confirmation, reaction, actions, neighbors,
 * comments, users who have not confirmed, and history. After a refusal of the read, shows an alert and opens the
 * list.
 */
function OpenNotice({ noticeId }: { noticeId: string }) {
  const t = usePortalMessages().notices
  const navigate = useNavigate()
  const ownId = useSessionUserId()
  const search = board.write(board.read(useSearch({ from: '/framed/notice/detail' })))
  const toList = () => navigate({ to: '/notice/search', search })
  const notice = useQuery(noticeQuery(noticeId))
  const { data: record, error } = notice

  useRecordName(record?.title)
  // 'Failed to load data', then back to the list (rules/notices#notice-detail).
  useShowRefusal(error, () => void navigate({ to: '/notice/search', search, replace: true }), t.loadFailed)

  const states = (
    <RecordStates query={notice} title={t.detail.memo} loading={t.detail.loading} failed={t.loadFailed} />
  )
  if (!record) return states
  return (
    // Shown together: the Markdown renderer loads later and would move the content below it.
    <Suspense fallback={states}>
      <NoticeCard notice={record} />
      <div className={classes(layout.parts, layout.onScreen)}>
        {(record.toConfirm || record.confirmed) && (
          <ReadConfirmation notice={record} onConfirmed={() => void notice.refetch()} />
        )}
        <Acknowledge notice={record} onChanged={() => notice.refetch()} />
        <NoticeActions notice={record} search={search} toList={toList} />
        <Neighbours notice={record} search={search} />
        {record.commentCount !== undefined && <CommentsCard notice={record} />}
        {record.mustRead && (record.editable || record.userId === ownId) && !record.scheduled && (
          <UnreadCard notice={record} />
        )}
        <History recordKind="notice" recordId={record.noticeId} />
      </div>
    </Suspense>
  )
}
