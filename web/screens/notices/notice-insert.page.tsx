import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { getAuthority } from '../../../contract/common.ts'
import { getNotice } from '../../../contract/notices.ts'
import { query, recordQuery } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { BoardCrumbs } from './board-crumbs.tsx'
import { NoticeForm } from './notice-form.tsx'

/**
 * /notice/insert (rules/notices#notice-form): writes a notice, or edits the one of `noticeId`. `writer` is accepted and
 * decides nothing (rules/notices#author).
 */
export default function NoticeInsert() {
  const { noticeId } = useSearch({ from: '/framed/notice/insert' })
  const [form, setForm] = useState(() => opened(0, noticeId))
  if (form.noticeId !== noticeId) {
    // A form that has just made its notice goes on with what it holds, its file above all.
    const isItsOwn = noticeId !== undefined && noticeId === form.adopted
    setForm(isItsOwn ? { ...form, noticeId } : opened(form.key + 1, noticeId))
  }
  if (form.isNew || noticeId === undefined) {
    return <NewNotice key={form.key} onCreated={(id) => setForm({ ...form, adopted: id })} />
  }
  return <OldNotice key={form.key} noticeId={noticeId} />
}

interface OpenForm {
  key: number
  noticeId: string | undefined
  isNew: boolean
  /** The notice that this form has made. */
  adopted: string | undefined
}

function opened(key: number, noticeId: string | undefined): OpenForm {
  return { key, noticeId, isNew: noticeId === undefined, adopted: undefined }
}

function NewNotice({ onCreated }: { onCreated: (noticeId: string) => void }) {
  // Without a guard on its route, this call is what tells a visitor to log in (rules/frame#login-guard).
  useQuery(query(getAuthority, {}))
  return <NoticeForm notice={undefined} onCreated={onCreated} />
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
