import { lazy, Suspense, useState } from 'react'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import type { ExportedList } from './export-dialog.tsx'

// Opened now and then, and no part of the first load.
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

/**
 * Shows a button that opens the dialog in which the list is exported with its current filters and order. It is disabled
 * while the list is empty or not loaded.
 * @param total number of rows of all pages; undefined while it is unknown
 */
export function ExportButton({
  total,
  ...list
}: Omit<ExportedList, 'total'> & { total: number | undefined }) {
  const t = usePortalMessages().exports
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" isDisabled={total === undefined || total === 0} onClick={() => setOpen(true)}>
        <DownloadIcon size={16} />
        {t.open}
      </Button>
      {isOpen && (
        <Suspense>
          <ExportDialog {...list} total={total ?? 0} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
