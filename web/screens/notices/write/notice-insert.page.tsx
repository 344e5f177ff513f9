import { useQuery } from '@tanstack/react-query'
import { type NavigateOptions, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { getAuthority } from '../../../../contract/common.ts'
import { getNotice } from '../../../../contract/notices.ts'
import { query, recordQuery } from '../../../api/query.ts'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { RecordStates } from '../../../forms/record-states.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { Page } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { BoardCrumbs } from '../search/board-crumbs.tsx'
import { NoticeForm } from './notice-form.tsx'

/**
 * Shows the page /notice/insert (rules/notices#notice-form): writes a notice, or edits the one of `noticeId`.
 * Users who may not do that get an alert and are redirected to the list or the notice. `writer` in the URL is
 * accepted but ignored (rules/notices#author).
 */
export default function NoticeInsert() {
  const { noticeId } = useSearch({ from: '/framed/notice/insert' })
  return noticeId === undefined ? <NewNotice /> : <OldNotice key={noticeId} noticeId={noticeId} />
}

/** Shows the empty form. Redirects users who may not publish to the list, after an alert. */
function NewNotice() {
  // Without a guard on its route, this call is what tells a visitor to log in (rules/frame#login-guard).
  const mayPublish = useQuery(query(getAuthority, {})).data?.functions.includes('autho_notice_insert')
  useRefusal(mayPublish === false, { to: '/notice/search' })
  return <NoticeForm notice={undefined} />
}

/** As soon as `isRefused` is true, shows an alert that the user has no permission, and redirects to `target`. */
function useRefusal(isRefused: boolean, target: NavigateOptions): void {
  const { failures } = usePortalMessages()
  const navigate = useNavigate()
  const refuse = useEffectEvent(async () => {
    await dialogs.alert({ message: failures.FORBIDDEN })
    await navigate({ ...target, replace: true })
  })
  useEffect(() => {
    if (isRefused) void refuse()
  }, [isRefused])
}

/**
 * Loads a notice and shows its form. Redirects, after an alert: to the notice if the user may not edit it, to the
 * list if it cannot be read.
 */
function OldNotice({ noticeId }: { noticeId: string }) {
  const { notices: t } = usePortalMessages()
  const navigate = useNavigate()
  const notice = useQuery({ ...recordQuery(getNotice, { noticeId }), staleTime: Infinity })
  const { data: record, error } = notice
  const isRefused = record?.editable === false

  useShowRefusal(error, () => void navigate({ to: '/notice/search', replace: true }), t.loadFailed)
  useRefusal(isRefused, { to: '/notice/detail', search: { noticeId } })

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
