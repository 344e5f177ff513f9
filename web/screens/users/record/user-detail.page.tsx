import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { listRequestsOfUser } from '../../../../contract/approvals.ts'
import { listHistory } from '../../../../contract/audit.ts'
import { getUser } from '../../../../contract/users.ts'
import { invalidate, prefetch, recordQuery } from '../../../api/query.ts'
import { useAffiliations } from '../../../forms/choices.ts'
import { prefetchCustomFields, useCustomFields } from '../../../forms/custom-fields.ts'
import { RecordStates } from '../../../forms/record-states.tsx'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Crumbs } from '../../../layout/breadcrumbs.tsx'
import { useRecordName } from '../../../layout/record-name.ts'
import { usePermissionLookup } from '../../../layout/use-permission.ts'
import { formatPhone, minuteOf } from '../../../lists/columns.ts'
import { Card, Page } from '../../../ui/card.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { LazyCard } from '../../../ui/lazy-card.tsx'
import { ApprovalHistory } from '../../approvals/approval-history.tsx'
import { SeenBy } from '../../audit/access-log-link.tsx'
import { History } from '../../audit/history.tsx'
import { AccountActions } from '../account/account-actions.tsx'
import { useRolesOfPeople } from '../search/lists.ts'
import { isFromMain } from '../search/search-memory.ts'
import { isApproved, type UserRecord } from './form-values.ts'
import { useOpenedUserId } from './use-opened-user-id.ts'
import { UserForm } from './user-form.tsx'

/**
 * Loads the card of second factors, which requests its data only when the user opens it, because each view is logged.
 */
const loadFactorReset = () => import('../account/factor-reset.tsx')
/** Loads the card of the user's sessions, which also requests its data only when the user opens it. */
const loadSessions = () => import('../account/user-sessions-rows.tsx')

/** Returns the query for a user record. */
const userQuery = (userId: string) => recordQuery(getUser, { userId })

/** Prefetches the custom fields, and the user whose ID is in the navigation state or else in the URL, if any. */
export function load(words: { userId?: string }, state: { userId?: string | undefined }): void {
  const userId = state.userId ?? words.userId
  prefetchCustomFields()
  if (userId !== undefined) void prefetch(userQuery(userId))
}

/**
 * Shows the page /user/detail (rules/users#user-search): the user whose ID is in the navigation state or, in a new tab,
 * in the URL, with the form and the account actions, or as text for viewers who may only read. Without an ID it
 * redirects to the search; for the caller's own ID to /mypage.
 */
export default function UserDetail() {
  const { titles, users } = usePortalMessages()
  const readsOnly = usePermissionLookup()('autho_user_manage') === false
  const userId = useOpenedUserId('/user/detail')
  if (userId === undefined) return <Navigate to="/user/search" replace />
  return (
    <Page
      title={readsOnly ? users.detail.readTitle : titles.userDetail}
      crumbs={<Crumbs list={<CameFrom />} />}
    >
      <OpenUser key={userId} userId={userId} />
    </Page>
  )
}

/** Links to the page from which the user came, as “back” does (rules/users#back). */
function CameFrom() {
  const { titles } = usePortalMessages()
  const backTo = useLocation({ select: ({ state }) => state.backTo })
  const [fromMain] = useState(isFromMain)
  if (backTo !== undefined) return <Link to={backTo}>{titles.approvals}</Link>
  if (fromMain) return <Link to="/main">{titles.main}</Link>
  return <Link to="/user/search">{titles.userSearch}</Link>
}

/**
 * Loads another user's record and shows it: as text with its history for viewers who may only read, else with the form
 * and the account actions. The own record redirects to /mypage. A refused read shows its message and leads to the
 * search. After a save under another ID, it opens the user under that ID.
 */
function OpenUser({ userId }: { userId: string }) {
  const { users, factorReset, userSessions } = usePortalMessages()
  const t = users.detail
  const navigate = useNavigate()
  const user = useQuery(userQuery(userId))
  const readsOnly = usePermissionLookup()('autho_user_manage') === false
  const { data: record, error } = user

  useRecordName(record?.name)
  // Somebody else withdrew or renamed the user meanwhile.
  useShowRefusal(error, () => void navigate({ to: '/user/search', replace: true }))

  if (record?.isOwn) return <Navigate to="/mypage" replace />
  if (!record) return <RecordStates query={user} title={t.basicInfo} loading={t.loading} failed={t.failed} />
  if (readsOnly)
    return (
      <>
        <UserFacts record={record} />
        <History recordKind="user" recordId={record.userId} />
        <SeenBy userId={record.userId} />
      </>
    )
  const requests = <ApprovalHistory userId={record.userId} />
  return (
    <>
      {!isApproved(record) && requests}
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
      <LazyCard texts={factorReset} load={loadFactorReset}>
        {(part) => <part.FactorReset userId={record.userId} />}
      </LazyCard>
      <LazyCard texts={userSessions} load={loadSessions}>
        {(part) => <part.UserSessionsRows userId={record.userId} />}
      </LazyCard>
      {isApproved(record) && requests}
      <History recordKind="user" recordId={record.userId} />
      <SeenBy userId={record.userId} />
    </>
  )
}

/** Shows a user record as text, for viewers who may read users but not change them (rules/users#read-only). */
export function UserFacts({ record }: { record: UserRecord }) {
  const { fields, users } = usePortalMessages()
  const affiliations = useAffiliations({ includeAll: true, isWhole: true })
  const roles = useRolesOfPeople()
  const customFields = useCustomFields()
  const labelOf = ({ options }: typeof affiliations, code = '') =>
    options.find(({ value }) => value === code)?.label ?? code
  const rows: [label: string, text: string | undefined][] = [
    [fields.userId, record.userId],
    [fields.name, record.name],
    [fields.affiliationCode, labelOf(affiliations, record.affiliationCode)],
    [fields.position, record.position],
    [fields.phoneNumber, formatPhone(record.phoneNumber)],
    [fields.email, record.email],
    [fields.employeeNumber, record.employeeNumber],
    ...customFields.map(({ slot, name }): [string, string | undefined] => [name, record[slot]]),
    [fields.roleCode, labelOf(roles, record.roleCode)],
    [fields.partnerCode, record.partnerCode],
    [fields.approvalCode, record.approval],
    [fields.validFrom, record.validFrom],
    [fields.validTo, record.validTo],
    [users.validity.lastLogin, minuteOf(record.lastLoginAt ?? '') || users.validity.neverLoggedIn],
  ]
  return (
    <Card title={users.detail.basicInfo}>
      <FactList columns="four" facts={rows.map(([label, text]) => [label, text || users.withdrawn.none])} />
    </Card>
  )
}
