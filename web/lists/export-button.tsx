import { lazy, Suspense, useState } from 'react'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import type { ReceiveOptions } from '../api/client.ts'
import type { ExportAsked, ExportedList } from './export-dialog.tsx'

// Opened now and then, and no part of the first load.
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

interface Props<C extends string> {
  name: ExportedList['name']
  total: number | undefined
  /** The columns that the file can have; undefined if users choose no columns of the list. */
  exported?: readonly C[]
  /** The columns that the list shows, in order. */
  columns?: readonly { key: string }[]
  /** The columns of the file for those of the list that have another name in it. */
  parts?: Record<string, readonly C[]>
  /** Calls the export with the current filters and order; without `columns` for all. */
  receive: (asked: ExportAsked & { columns?: C[] }, options: ReceiveOptions) => Promise<Blob>
}

/**
 * Shows a button that opens the export of the list as it is shown (rules/lists#export-columns). It is disabled while the list is
 * empty or not loaded.
 */
export function ExportButton<C extends string>({
  total,
  exported = [],
  columns = [],
  parts = {},
  receive,
  name,
}: Props<C>) {
  const t = usePortalMessages().exports
  const shown = columns.flatMap(({ key }) => parts[key] ?? exported.filter((column) => column === key))
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" isDisabled={total === undefined || total === 0} onClick={() => setOpen(true)}>
        <DownloadIcon size={16} />
        {t.open}
      </Button>
      {isOpen && (
        <Suspense>
          <ExportDialog
            name={name}
            total={total ?? 0}
            hasColumns={exported.length > 0}
            receive={(asked, options, isWhole) =>
              receive({ ...asked, ...(!isWhole && shown.length > 0 && { columns: shown }) }, options)
            }
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
