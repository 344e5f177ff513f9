import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { listHistory } from '../../../../contract/audit.ts'
import { listRequestsOfUser } from '../../../../contract/approvals.ts'
import { invalidate, prefetch, recordQuery } from '../../../api/query.ts'
import { getUser } from '../../../../contract/users.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Crumbs } from '../../../frame/crumbs.tsx'
import { useRecordName } from '../../../frame/record-name.ts'
import { Page } from '../../../ui/card.tsx'
import { useShowRefusal } from '../../../forms/refusal.ts'
import { RecordStates } from '../../../forms/record-states.tsx'
import { History } from '../../audit/history.tsx'
import { SeenBy } from '../../audit/seen-by.tsx'
import { ApprovalHistory } from '../../approvals/approval-history.tsx'
import { AccountActions } from '../account/account-actions.tsx'
import { isFromMain } from '../search/search-memory.ts'
import { UserForm } from './user-form.tsx'
import { FactorResetCard } from '../account/factor-reset-card.tsx'
import { UserSessionsCard } from '../account/user-sessions-card.tsx'
import { useOpenedUserId } from './use-opened-user-id.ts'

const userQuery = (userId: string) => recordQuery(getUser, { userId })

/** Asks for the user that the navigation names. */
export function load(words: { userId?: string }, state: { userId?: string | undefined }): void {
  const userId = state.userId ?? words.userId
  if (userId !== undefined) void prefetch(userQuery(userId))
}

/**
 * /user/detail (rules/users#user-search): the user whose ID came as navigation state or, in a new tab, in the address.
 * Without one there is nobody to show, and the search opens.
 */
export default function UserDetail() {
  const { titles } = usePortalMessages()
  const userId = useOpenedUserId('/user/detail')
  if (userId === undefined) return <Navigate to="/user/search" replace />
  return (
    <Page title={titles.userDetail} crumbs={<Crumbs list={<CameFrom />} />}>
      <OpenUser key={userId} userId={userId} />
    </Page>
  )
}

/** Where 'back' leads, too (rules/users#back). */
function CameFrom() {
  const { titles } = usePortalMessages()
  const backTo = useLocation({ select: ({ state }) => state.backTo })
  const [fromMain] = useState(isFromMain)
  if (backTo !== undefined) return <Link to={backTo}>{titles.approvals}</Link>
  if (fromMain) return <Link to="/main">{titles.main}</Link>
  return <Link to="/user/search">{titles.userSearch}</Link>
}

function OpenUser({ userId }: { userId: string }) {
  const t = usePortalMessages().users.detail
  const navigate = useNavigate()
  const user = useQuery(userQuery(userId))
  const { data: record, error } = user

  useRecordName(record?.name)
  // Somebody else withdrew or renamed the user meanwhile.
  useShowRefusal(error, () => void navigate({ to: '/user/search', replace: true }))

  if (record?.isOwn) return <Navigate to="/mypage" replace />
  if (!record) return <RecordStates query={user} title={t.basicInfo} loading={t.loading} failed={t.failed} />
  return (
    <>
      <UserForm
        record={record}
        isOwn={false}
        reload={async () => (await user.refetch()).data}
        onSaved={async (savedId) => {
          // An approval decides the request that waits.
          void invalidate(listRequestsOfUser)
          void invalidate(listHistory)
          if (savedId === userId) return (await user.refetch()).data
          // The detail again, with the new ID (rules/users#save).
          await navigate({
            to: '/user/detail',
            state: (now) => ({ ...now, userId: savedId }),
            replace: true,
          })
          return undefined
        }}
        onWithdrawn={() => navigate({ to: '/user/search' })}
      />
      <AccountActions
        record={record}
        onChanged={async () => {
          void invalidate(listHistory)
          await user.refetch()
        }}
        onRemoved={() => navigate({ to: '/user/search', replace: true })}
      />
      <FactorResetCard userId={record.userId} />
      <UserSessionsCard userId={record.userId} />
      <ApprovalHistory userId={record.userId} />
      <History recordKind="user" recordId={record.userId} />
      <SeenBy userId={record.userId} />
    </>
  )
}
