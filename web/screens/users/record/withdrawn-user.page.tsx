import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { getWithdrawn, restoreUser } from '../../../../contract/users.ts'
import { prefetch, recordQuery, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { RecordStates } from '../../../forms/record-states.tsx'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../../forms/use-busy.tsx'
import { Crumbs } from '../../../layout/breadcrumbs.tsx'
import { useRecordName } from '../../../layout/record-name.ts'
import { useHasFunction } from '../../../layout/use-permission.ts'
import { usePortalMessages } from '../../../language.tsx'
import { formatPhone, minuteOf } from '../../../lists/columns.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { FactList } from '../../../ui/fact-list.tsx'
import { FormActions } from '../../../ui/form-grid.tsx'
import { useOpenedUserId } from './use-opened-user-id.ts'
import { useWithdrawnBy } from '../search/user-columns.tsx'
import layout from '../../../ui/layout.module.css'
import { showToast } from '../../../ui/toasts.ts'

/** Returns the query for a withdrawn account. */
const withdrawnQuery = (userId: string) => recordQuery(getWithdrawn, { userId })

/** Prefetches the withdrawn account whose ID is in the navigation state or else in the URL, if any. */
export function load(words: { userId?: string }, state: { userId?: string | undefined }): void {
  const userId = state.userId ?? words.userId
  if (userId !== undefined) void prefetch(withdrawnQuery(userId))
}

/**
 * Shows the page /user/withdrawn (rules/users#withdrawn-accounts): a withdrawn account with its last data, and the
 * button that restores it, if the viewer may manage users and it is not too late (rules/users#taking-back). Without an
 * ID it redirects to the search.
 */
export default function WithdrawnUser() {
  const { titles } = usePortalMessages()
  const userId = useOpenedUserId('/user/withdrawn')
  if (userId === undefined) return <Navigate to="/user/search" replace />
  return (
    <Page
      title={titles.userWithdrawn}
      crumbs={<Crumbs list={<Link to="/user/search">{titles.userSearch}</Link>} />}
    >
      <Withdrawn key={userId} userId={userId} />
    </Page>
  )
}

/**
 * Loads a withdrawn account and shows its values, until when it can be restored, and the button for that. The button
 * asks, calls `restoreUser` and opens the restored user. A refused read shows its message and leads to the search.
 */
function Withdrawn({ userId }: { userId: string }) {
  const t = usePortalMessages().users.withdrawn
  const navigate = useNavigate()
  const account = useQuery(withdrawnQuery(userId))
  const restore = useCall(restoreUser)
  const mayRestore = useHasFunction('autho_user_manage')
  const { during, overlay } = useBusy()
  const { data: record, error } = account
  useRecordName(record?.name)
  // Somebody else took the withdrawal back meanwhile.
  useShowRefusal(error, () => void navigate({ to: '/user/search', replace: true }))

  async function takeBack(name: string): Promise<void> {
    if (!(await dialogs.confirm({ title: t.restore, message: t.restoreText(name) }))) return
    try {
      await during(t.restoring, () => restore.mutateAsync({ userId }))
    } catch (refusal) {
      await showRefusal(refusal)
      await account.refetch()
      return
    }
    showToast(t.restored(name))
    await navigate({ to: '/user/detail', state: { userId }, replace: true })
  }

  if (!record) return <RecordStates query={account} title={t.title} loading={t.loading} failed={t.failed} />
  return (
    <>
      <Fields record={record} />
      <p className={layout.quiet}>
        {record.restorable
          ? t.until(minuteOf(record.restorableUntil))
          : t.tooLate(minuteOf(record.restorableUntil))}
      </p>
      <FormActions start={<Button onClick={() => void navigate({ to: '/user/search' })}>{t.list}</Button>}>
        {mayRestore && record.restorable && (
          <Button variant="primary" onClick={() => void takeBack(record.name)}>
            {t.restore}
          </Button>
        )}
      </FormActions>
      {overlay}
    </>
  )
}

/** Shows the last values of a withdrawn account, and when, by whom and why it was withdrawn. */
function Fields({ record }: { record: OutputOf<typeof getWithdrawn> }) {
  const { users, fields } = usePortalMessages()
  const { withdrawn: t, search } = users
  const byOf = useWithdrawnBy()
  const rows: [label: string, text: string][] = [
    [fields.userId, record.userId],
    [fields.name, record.name],
    [fields.affiliationCode, record.affiliationName],
    [fields.position, record.position],
    [fields.phoneNumber, formatPhone(record.phoneNumber)],
    [fields.email, record.email],
    [fields.roleCode, record.roleName],
    [fields.partnerCode, record.partnerCode],
    [fields.validFrom, record.validFrom],
    [fields.validTo, record.validTo],
    [search.columns.registeredAt, minuteOf(record.registeredAt)],
    [search.columns.withdrawnAt, minuteOf(record.withdrawnAt)],
    [search.columns.withdrawnBy, byOf(record)],
    [search.columns.withdrawnReason, record.withdrawnReason],
  ]
  return (
    <Card title={t.title}>
      <FactList columns="four" facts={rows.map(([label, text]) => [label, text || t.none])} />
    </Card>
  )
}
