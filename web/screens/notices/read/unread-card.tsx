import type { OutputOf } from '../../../../contract/endpoint.ts'
import { listUnread, remindUnread, UNREAD_PER_PAGE } from '../../../../contract/notices.ts'
import { query, useMailingCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../../forms/use-busy.tsx'
import { useHasFunction } from '../../../layout/use-permission.ts'
import { usePortalMessages } from '../../../language.tsx'
import { columnsOf } from '../../../lists/columns.ts'
import { ListResults } from '../../../lists/list-results.tsx'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { useListPage } from '../../../lists/use-list-page.ts'
import { usePlainList } from '../../../lists/use-list.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { ErrorState } from '../../../ui/states.tsx'
import { PersonName } from '../../users/record/person-name.tsx'
import type { Notice } from './notice-card.tsx'
import layout from '../../../ui/layout.module.css'
import { showToast } from '../../../ui/toasts.ts'

/** A user who has not confirmed the notice. */
type Unread = OutputOf<typeof listUnread>['unread'][number]

/**
 * Shows how many users have and have not confirmed a must-read notice. Users who manage notices also see the list
 * of those who have not, and a button that emails them a reminder after a question (rules/notices#unread-list).
 * The button is disabled until the next reminder is allowed.
 */
export function UnreadCard({ notice: { noticeId } }: { notice: Notice }) {
  const { notices, lists } = usePortalMessages()
  const [t, retry] = [notices.readers, lists.retry]
  const mayManage = useHasFunction('autho_notice_manage')
  const columns = useColumns()
  const { during, overlay } = useBusy()
  const remind = useMailingCall(remindUnread)
  const list = usePlainList()
  const page = useListPage(
    list,
    query(listUnread, { noticeId, page: list.page, perPage: UNREAD_PER_PAGE }),
    UNREAD_PER_PAGE,
  )
  useShowRefusal(page.error)
  const { totalCount: total = 0, readCount: read = 0, remindAfter: seconds = 0 } = page.data ?? {}

  /** Sends the reminder after a question, and shows the number of emails or the refusal. */
  async function ask(): Promise<void> {
    const message = t.remindText(total.toLocaleString())
    if (!(await dialogs.confirm({ title: t.remindTitle, message }))) return
    try {
      const { data, msg } = await during(t.reminding, () => remind.mutateAsync({ noticeId }))
      showToast(t.reminded(data.sentCount.toLocaleString(), msg))
    } catch (error) {
      await showRefusal(error)
    }
    page.retry()
  }

  return (
    <Card
      title={t.title}
      actions={
        mayManage && (
          <>
            {seconds > 0 && <span className={layout.hint}>{t.remindAgain(Math.ceil(seconds / 60))}</span>}
            <Button size="small" isDisabled={total === 0 || seconds > 0} onClick={() => void ask()}>
              {t.remind}
            </Button>
          </>
        )
      }
    >
      {mayManage ? (
        <ListResults
          page={page}
          isShort
          texts={{ ...t, results: t.list, total: (count) => t.counts(count, read.toLocaleString()) }}
          columns={columns}
          rows={page.data?.unread ?? []}
          getRowKey={(row) => row.userId}
        />
      ) : page.error !== null ? (
        <ErrorState message={t.failed} retryLabel={retry} onRetry={page.retry} />
      ) : (
        page.data && <p>{t.counts(total.toLocaleString(), read.toLocaleString())}</p>
      )}
      {overlay}
    </Card>
  )
}

/** Returns the columns of the list of users who have not confirmed. */
function useColumns(): ListColumn<Unread>[] {
  const t = usePortalMessages().notices.readers
  const { text, column } = columnsOf<Unread, keyof typeof t.columns>(t.columns)
  return [
    text('rowNumber', { width: 84, align: 'center' }),
    column('name', ({ userId, name }) => <PersonName userId={userId} name={name} />, { isRowHeader: true }),
    text('userId', { width: 210 }),
    text('affiliationName', { width: 210 }),
    text('position', { width: 140 }),
    column(
      'viewed',
      (row) => <Badge tone={row.viewed ? 'info' : 'neutral'}>{row.viewed ? t.viewed : t.notViewed}</Badge>,
      { width: 150, align: 'center' },
    ),
  ]
}
