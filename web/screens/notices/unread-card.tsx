import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { listUnread, remindUnread, UNREAD_PER_PAGE } from '../../../contract/notices.ts'
import { query, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { Pager } from '../../ui/pager.tsx'
import type { Notice } from './notice-card.tsx'
import layout from '../../ui/layout.module.css'

type Unread = OutputOf<typeof listUnread>['unread'][number]

/** Who has not confirmed a must-read notice yet, and the reminder: for those who may edit it. */
export function UnreadCard({ notice: { noticeId, scheduled } }: { notice: Notice }) {
  const { notices, lists } = usePortalMessages()
  const t = notices.readers
  const [page, setPage] = useState(1)
  const { during, overlay } = useBusy()
  const remind = useCall(remindUnread)
  const unread = useQuery({
    ...query(listUnread, { noticeId, page, perPage: UNREAD_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  useShowRefusal(unread.error)
  const { totalCount: total = 0, readCount: read = 0, remindAfter: seconds = 0 } = unread.data ?? {}

  async function ask(): Promise<void> {
    const message = t.remindText(total.toLocaleString())
    if (!(await dialogs.confirm({ title: t.remindTitle, message }))) return
    try {
      const { sentCount } = await during(t.reminding, () => remind.mutateAsync({ noticeId }))
      await dialogs.alert({ tone: 'success', message: t.reminded(sentCount.toLocaleString()) })
    } catch (error) {
      await showRefusal(error)
    }
    void unread.refetch()
  }

  return (
    <Card
      title={t.title}
      actions={
        !scheduled && (
          <>
            {seconds > 0 && <span className={layout.hint}>{t.remindAgain(Math.ceil(seconds / 60))}</span>}
            <Button size="small" isDisabled={total === 0 || seconds > 0} onClick={() => void ask()}>
              {t.remind}
            </Button>
          </>
        )
      }
    >
      <div className={layout.stack}>
        <p className={layout.line}>
          {unread.data && t.counts(total.toLocaleString(), read.toLocaleString())}
        </p>
        <DataTable
          label={t.list}
          columns={useColumns()}
          rows={unread.data?.unread ?? []}
          getRowKey={(row) => row.userId}
          state={unread.isFetching ? 'loading' : unread.isError ? 'error' : 'ready'}
          rowCount={Math.min(UNREAD_PER_PAGE, Math.max(total, 3))}
          loadingLabel={t.loading}
          empty={t.empty}
          error={unread.error?.isUnavailable === false ? unread.error.msg : t.failed}
          retryLabel={lists.retry}
          onRetry={() => void unread.refetch()}
        />
        <Pager
          page={page}
          pageCount={Math.ceil(total / UNREAD_PER_PAGE)}
          onChange={setPage}
          labels={{ ...lists.pager, nav: `${t.list} ${lists.pager.nav}` }}
        />
      </div>
      {overlay}
    </Card>
  )
}

function useColumns(): DataColumn<Unread>[] {
  const t = usePortalMessages().notices.readers
  return [
    {
      key: 'rowNumber',
      header: t.columns.rowNumber,
      render: (row) => row.rowNumber,
      width: 84,
      align: 'center',
    },
    { key: 'name', header: t.columns.name, render: (row) => row.name, isRowHeader: true },
    { key: 'userId', header: t.columns.userId, render: (row) => row.userId, width: 210 },
    {
      key: 'affiliationName',
      header: t.columns.affiliationName,
      render: (row) => row.affiliationName,
      width: 210,
    },
    { key: 'position', header: t.columns.position, render: (row) => row.position, width: 140 },
    {
      key: 'viewed',
      header: t.columns.viewed,
      render: (row) => (
        <Badge tone={row.viewed ? 'info' : 'neutral'}>{row.viewed ? t.viewed : t.notViewed}</Badge>
      ),
      width: 150,
      align: 'center',
    },
  ]
}
