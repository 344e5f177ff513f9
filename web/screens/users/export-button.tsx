import { lazy, Suspense, useState } from 'react'
import { usePortalMessages } from '../../language.tsx'
import type { ListState } from '../../lists/list-state.ts'
import { Button } from '../../ui/Button.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import type { UserFilters } from './search-state.ts'

// Opened now and then, and no part of the first load.
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

/** Opens the export of the list as it is shown; of nobody there is none. */
export function ExportButton({ list, total }: { list: ListState<UserFilters>; total: number | undefined }) {
  const t = usePortalMessages().users.export
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" isDisabled={total === undefined || total === 0} onClick={() => setOpen(true)}>
        <DownloadIcon size={16} />
        {t.open}
      </Button>
      {isOpen && (
        <Suspense>
          <ExportDialog list={list} total={total ?? 0} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
