import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { getAuthority } from '../../../../contract/common.ts'
import { getNotice } from '../../../../contract/notices.ts'
import { query, recordQuery } from '../../../api/query.ts'
import { useShowRefusal } from '../../../forms/refusal.ts'
import { RecordStates } from '../../../forms/record-states.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { Page } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { BoardCrumbs } from '../search/board-crumbs.tsx'
import { NoticeForm } from './notice-form.tsx'

/**
 * /notice/insert (rules/notices#notice-form): writes a notice, or edits the one of `noticeId`. `writer` is accepted and
 * decides nothing (rules/notices#author).
 */
export default function NoticeInsert() {
  const { noticeId } = useSearch({ from: '/framed/notice/insert' })
  return noticeId === undefined ? <NewNotice /> : <OldNotice key={noticeId} noticeId={noticeId} />
}

function NewNotice() {
  // Without a guard on its route, this call is what tells a visitor to log in (rules/frame#login-guard).
  useQuery(query(getAuthority, {}))
  return <NoticeForm notice={undefined} />
}

function OldNotice({ noticeId }: { noticeId: string }) {
  const { notices: t, failures } = usePortalMessages()
  const navigate = useNavigate()
  const notice = useQuery({ ...recordQuery(getNotice, { noticeId }), staleTime: Infinity })
  const { data: record, error } = notice
  const isRefused = record?.editable === false

  useShowRefusal(error, () => void navigate({ to: '/notice/search', replace: true }), t.loadFailed)
  const refuse = useEffectEvent(async () => {
    await dialogs.alert({ message: failures.FORBIDDEN })
    await navigate({ to: '/notice/detail', search: { noticeId }, replace: true })
  })
  useEffect(() => {
    if (isRefused) void refuse()
  }, [isRefused])

  if (!record || isRefused) {
    return (
      <Page title={t.form.editTitle} crumbs={<BoardCrumbs />}>
        <RecordStates
          query={notice}
          title={t.form.editTitle}
          loading={t.form.loading}
          failed={t.loadFailed}
        />
      </Page>
    )
  }
  return <NoticeForm notice={record} />
}
