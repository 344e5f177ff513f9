import { useState } from 'react'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { maybePreviewed } from './preview.ts'
import { MAX_PAGE_BYTES, type SavedFile } from '../files/use-download.ts'

/** Opens an image or a PDF in a dialog, where it can be shown (rules/files#preview); else nothing. */
export function PreviewButton({ file }: { file: SavedFile }) {
  const t = usePortalMessages().files
  const [isOpen, setOpen] = useState(false)
  const { fileName, fileSize } = file
  if (fileSize > MAX_PAGE_BYTES || !maybePreviewed(fileName, navigator.pdfViewerEnabled)) return null
  return (
    <>
      <Button size="small" aria-label={t.previewOf(fileName)} onClick={() => setOpen(true)}>
        {t.preview}
      </Button>
      {isOpen && <PreviewDialog file={file} onClose={() => setOpen(false)} />}
    </>
  )
}
