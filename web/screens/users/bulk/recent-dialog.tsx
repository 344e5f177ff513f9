import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listOwnChanges } from '../../../../contract/users.ts'
import { recordQuery } from '../../../api/query.ts'
import { usePortalMessages } from '../../../language.tsx'
import { minuteOf } from '../../../lists/columns.ts'
import { Button } from '../../../ui/button.tsx'
import layout from '../../../ui/layout.module.css'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { showRecentChanges } from './recent-changes.ts'
import UndoDialog from './undo-dialog.tsx'

/**
 * Shows the user's own recent bulk changes, each with a button that opens the preview of its undo
 * (rules/users#undo-a-bulk-change).
 */
export default function RecentDialog() {
  const { users, forms } = usePortalMessages()
  const t = users.bulk
  const { data, isError, refetch } = useQuery(recordQuery(listOwnChanges, {}))
  const [undone, setUndone] = useState<string>()

  if (undone !== undefined) {
    const back = () => setUndone(undefined)
    return (
      <UndoDialog
        auditId={undone}
        onClose={back}
        onDone={() => {
          back()
          void refetch()
        }}
      />
    )
  }
  return (
    <Dialog title={t.recent} closeLabel={forms.close} onClose={() => showRecentChanges(false)}>
      <div className={layout.stack}>
        <p className={layout.quiet}>{t.recentLead}</p>
        <output>
          {isError
            ? t.recentFailed
            : data === undefined
              ? forms.loading
              : data.bulkChanges.length === 0 && t.recentNone}
        </output>
        {data?.bulkChanges.map(({ undoId, changedAt, changeSummary, userCount }) => {
          const text = `${minuteOf(changedAt)} · ${changeSummary} · ${t.number(userCount.toLocaleString())}`
          return (
            <div key={undoId} className={layout.row}>
              <Button size="small" aria-label={t.undoOf(text)} onClick={() => setUndone(undoId)}>
                {t.actions.undo}
              </Button>
              <span>{text}</span>
            </div>
          )
        })}
      </div>
    </Dialog>
  )
}
