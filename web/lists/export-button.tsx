import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { useLazyPart } from '../ui/use-lazy-part.ts'
import type { ExportedList } from './export-dialog.tsx'

// The dialog is opened rarely, so its code is not part of the first load.
const loadDialog = () => import('./export-dialog.tsx')

/**
 * Shows a button that opens the dialog in which the list is exported as it is shown (rules/lists#export-columns). It is
 * disabled while the list is empty or not loaded.
 * @param total number of rows of all pages; undefined while it is unknown
 */
export function ExportButton<C extends string>({
  total,
  ...list
}: Omit<ExportedList<C>, 'total'> & { total: number | undefined }) {
  const { opened, open, close } = useLazyPart(loadDialog)
  return (
    <>
      <Button size="small" isDisabled={total === undefined || total === 0} onClick={open}>
        <DownloadIcon size={16} />
        {usePortalMessages().lists.export}
      </Button>
      {opened !== undefined && <opened.ExportDialog {...list} total={total ?? 0} onClose={close} />}
    </>
  )
}
