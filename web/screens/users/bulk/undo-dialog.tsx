import { useEffect, useRef, useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { listUsers, previewBulk, undoBulk } from '../../../../contract/users.ts'
import { CallError } from '../../../api/call-error.ts'
import { invalidate, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { useOpenInput } from '../../../unsaved-input.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { LoadingOverlay } from '../../../ui/loading-overlay.tsx'
import { clearToasts, showToast } from '../../../ui/toasts.ts'
import { OUTDATED } from './bulk-dialog.tsx'
import { BulkPreview } from './bulk-parts.tsx'

interface Props {
  /** A row of the bulk change, as `undoId` of the audit log. */
  auditId: string
  onClose: () => void
  onDone: () => void
}

/**
 * Shows which users an undo of a bulk change would restore, and which were changed since, and undoes it after a click
 * (`undoBulk`) (rules/users#undo-a-bulk-change). Then shows a toast and calls `onDone`. If these users have changed
 * since the preview, it shows a new one. If the preview is refused, it closes and shows the refusal.
 */
export default function UndoDialog({ auditId, onClose, onDone }: Props) {
  const { users, forms } = usePortalMessages()
  const t = users.bulk
  const previewCall = useCall(previewBulk)
  const change = useCall(undoBulk)
  const [preview, setPreview] = useState<OutputOf<typeof previewBulk>>()
  const [isOutdated, setOutdated] = useState(false)
  const isAsked = useRef(false)
  useOpenInput(true, false)

  const show = async () => setPreview(await previewCall.mutateAsync({ bulkAction: 'undo', auditId }))

  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    void show().catch((error: unknown) => {
      onClose()
      return showRefusal(error)
    })
    // Once, whatever its owner renders meanwhile.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  async function run(): Promise<void> {
    if (preview === undefined) return
    try {
      const { userCount } = await change.mutateAsync({ auditId, version: preview.version })
      void invalidate(listUsers)
      // The toast of the change still offers to undo it.
      clearToasts()
      showToast(t.done.undo(userCount.toLocaleString()))
      onDone()
    } catch (error) {
      if (!(error instanceof CallError) || !OUTDATED.includes(error.code)) return showRefusal(error)
      setOutdated(true)
      await show().catch(showRefusal)
    }
  }

  if (preview === undefined) return <LoadingOverlay label={forms.loading} />
  return (
    <Dialog
      title={t.actions.undo}
      width="wide"
      closeLabel={forms.close}
      onClose={() => !change.isPending && onClose()}
    >
      <BulkPreview
        // Another preview puts the keyboard focus where it begins.
        key={preview.version}
        action="undo"
        values={{}}
        preview={preview}
        isOutdated={isOutdated}
        onBack={onClose}
        onRun={run}
      />
    </Dialog>
  )
}
