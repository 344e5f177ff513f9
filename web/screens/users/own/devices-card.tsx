import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { endOtherSessions, listSessions } from '../../../../contract/account.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { recordQuery, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import type { GateKeeper } from '../../../frame/password-gate.tsx'
import { useShowRefusal } from '../../../forms/refusal.ts'
import { useBusy } from '../../../forms/use-busy.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { columnsOf, minuteOf } from '../../../lists/columns.ts'
import { QueryTable } from '../../../lists/query-table.tsx'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import layout from '../../../ui/layout.module.css'

type Device = OutputOf<typeof listSessions>['sessions'][number]

/** Placeholder rows while the list is loading: the number that most users have. */
const USUAL_DEVICES = 2

/** “My devices” of my page: the user's sessions, and a button that ends all others. */
export function DevicesCard({ guarded }: GateKeeper) {
  const t = usePortalMessages().users.devices
  const end = useCall(endOtherSessions)
  const { during, overlay } = useBusy()
  const lead = useRef<HTMLParagraphElement>(null)
  // Never from the cache, because sessions may have started or ended.
  const devices = useQuery(recordQuery(listSessions, {}))
  const rows = devices.data?.sessions ?? []

  useShowRefusal(devices.error)

  async function endOthers(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.endTitle, message: t.endText, isDanger: true }))) return
    try {
      const { endedCount } = await guarded(() => during(t.ending, () => end.mutateAsync({})))
      await dialogs.alert({ tone: 'success', message: t.ended(endedCount) })
    } catch (refusal) {
      await showRefusal(refusal)
    }
    await devices.refetch()
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
      <QueryTable
        query={devices}
        texts={{ ...t, results: t.list }}
        columns={useColumns()}
        rows={rows}
        // A session has no name of its own: its place in the list must do.
        getRowKey={(device) => rows.indexOf(device)}
        leastRows={devices.data === undefined ? USUAL_DEVICES : 1}
      />
      {overlay}
    </Card>
  )
}

function useColumns(): ListColumn<Device>[] {
  const t = usePortalMessages().users.devices
  const { text, column } = columnsOf<Device, keyof typeof t.columns>(t.columns)
  return [
    column('device', ({ device, current }) => (
      <span className={layout.row}>
        <span className={layout.ellipsis}>{device || t.unknown}</span>
        {current && <Badge tone="positive">{t.current}</Badge>}
      </span>
    )),
    text('address', { width: 260 }),
    column('loggedInAt', (row) => minuteOf(row.loggedInAt), { width: 190 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt), { width: 190 }),
  ]
}
