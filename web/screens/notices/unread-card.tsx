import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { listUnread, remindUnread, UNREAD_PER_PAGE } from '../../../contract/notices.ts'
import { query, useCall } from '../../api/query.ts'
import { tellRefusal } from '../../api/tell-refusal.ts'
import { useTellRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { LoadingOverlay } from '../../ui/loading-overlay.tsx'
import { Pager } from '../../ui/pager.tsx'
import type { Notice } from './notice-card.tsx'
import layout from '../../ui/layout.module.css'

type Unread = OutputOf<typeof listUnread>['UNREAD_LIST'][number]

/** Who has not confirmed a must-read notice yet, and the reminder: for those who may edit it. */
export function UnreadCard({ notice: { NOTICE_ID, SCHEDULED } }: { notice: Notice }) {
  const { notices, lists } = usePortalMessages()
  const t = notices.readers
  const [page, setPage] = useState(1)
  const [isReminding, setReminding] = useState(false)
  const remind = useCall(remindUnread)
  const unread = useQuery({
    ...query(listUnread, { NOTICE_ID, PAGE: page, PER_PAGE: UNREAD_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  useTellRefusal(unread.error)
  const { TOTAL_COUNT: total = 0, READ_COUNT: read = 0, REMIND_AFTER: seconds = 0 } = unread.data ?? {}

  async function ask(): Promise<void> {
    const message = t.remindText(total.toLocaleString())
    if (!(await dialogs.confirm({ title: t.remindTitle, message }))) return
    setReminding(true)
    try {
      const { SENT_COUNT } = await remind.mutateAsync({ NOTICE_ID })
      flushSync(() => setReminding(false))
      await dialogs.alert({ tone: 'success', message: t.reminded(SENT_COUNT.toLocaleString()) })
    } catch (error) {
      flushSync(() => setReminding(false))
      await tellRefusal(error)
    }
    void unread.refetch()
  }

  return (
    <Card
      title={t.title}
      actions={
        SCHEDULED === 'N' && (
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
          rows={unread.data?.UNREAD_LIST ?? []}
          getRowKey={(row) => row.USER_ID}
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
      {isReminding && <LoadingOverlay label={t.reminding} />}
    </Card>
  )
}

function useColumns(): DataColumn<Unread>[] {
  const t = usePortalMessages().notices.readers
  return [
    { key: 'NO', header: t.columns.NO, render: (row) => row.NO, width: 84, align: 'center' },
    { key: 'NAME', header: t.columns.NAME, render: (row) => row.NAME, isRowHeader: true },
    { key: 'USER_ID', header: t.columns.USER_ID, render: (row) => row.USER_ID, width: 210 },
    { key: 'BELONGTO', header: t.columns.BELONGTO, render: (row) => row.BELONGTO, width: 210 },
    { key: 'RANK', header: t.columns.RANK, render: (row) => row.RANK, width: 140 },
    {
      key: 'VIEWED',
      header: t.columns.VIEWED,
      render: (row) => (
        <Badge tone={row.VIEWED === 'Y' ? 'info' : 'neutral'}>
          {row.VIEWED === 'Y' ? t.viewed : t.notViewed}
        </Badge>
      ),
      width: 150,
      align: 'center',
    },
  ]
}
