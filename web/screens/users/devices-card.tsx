import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { endOtherSessions, listSessions } from '../../../contract/account.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { query, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import type { GateKeeper } from '../../frame/password-gate.tsx'
import { useShowRefusal } from '../../forms/refusal.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'

type Device = OutputOf<typeof listSessions>['sessions'][number]

/** While the list is on its way, as many lines as most people have. */
const USUAL_DEVICES = 2

/** 'My devices' of my page: where the person is logged in, and a button that ends all but this one. */
export function DevicesCard({ guarded }: GateKeeper) {
  const { users, frame } = usePortalMessages()
  const t = users.devices
  const columns = useColumns()
  const end = useCall(endOtherSessions)
  const { during, overlay } = useBusy()
  const lead = useRef<HTMLParagraphElement>(null)
  // Never from the cache: another device may have come or gone.
  const { data, error, isError, isFetching, refetch } = useQuery({ ...query(listSessions, {}), gcTime: 0 })
  const rows = data?.sessions ?? []

  useShowRefusal(error)

  async function endOthers(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.endTitle, message: t.endText, isDanger: true }))) return
    try {
      const { endedCount } = await guarded(() => during(t.ending, () => end.mutateAsync({})))
      await dialogs.alert({ tone: 'success', message: t.ended(endedCount) })
    } catch (refusal) {
      await showRefusal(refusal)
    }
    await refetch()
    // The button is out of use now and would drop the keyboard focus.
    lead.current?.focus()
  }

  return (
    <Card
      title={t.title}
      actions={
        <Button
          size="small"
          variant="danger"
          isDisabled={!rows.some(({ current }) => !current)}
          onClick={() => void endOthers()}
        >
          {t.endOthers}
        </Button>
      }
    >
      <p ref={lead} tabIndex={-1} className={layout.lead}>
        {t.lead}
      </p>
      <DataTable
        label={t.list}
        columns={columns}
        rows={rows}
        // A session has no name of its own: its place in the list must do.
        getRowKey={(device) => rows.indexOf(device)}
        state={isError ? 'error' : isFetching ? 'loading' : 'ready'}
        rowCount={Math.max(rows.length, data === undefined ? USUAL_DEVICES : 1)}
        loadingLabel={t.loading}
        empty={t.empty}
        error={t.failed}
        retryLabel={frame.retry}
        onRetry={() => void refetch()}
      />
      {overlay}
    </Card>
  )
}

function useColumns(): readonly DataColumn<Device>[] {
  const t = usePortalMessages().users.devices
  return [
    {
      key: 'device',
      header: t.columns.device,
      render: (device) => (
        <span className={layout.row}>
          <span className={layout.ellipsis}>{device.device || t.unknown}</span>
          {device.current && <Badge tone="positive">{t.current}</Badge>}
        </span>
      ),
    },
    { key: 'address', header: t.columns.address, render: (device) => device.address, width: 260 },
    {
      key: 'loggedInAt',
      header: t.columns.loggedInAt,
      render: (device) => toMinutes(device.loggedInAt),
      width: 190,
    },
    {
      key: 'lastUsedAt',
      header: t.columns.lastUsedAt,
      render: (device) => toMinutes(device.lastUsedAt),
      width: 190,
    },
  ]
}

/** 'YYYY-MM-DD HH:mm:ss' without its seconds, which say nothing here. */
function toMinutes(timestamp: string): string {
  return timestamp.slice(0, 16)
}
