import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { downloadFile } from '../../../../contract/notices.ts'
import { callForFile } from '../../../api/call-for-file.ts'
import { saveContent } from '../../../api/download.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import styles from './preview-dialog.module.css'
import { isPdf, previewOf, maybePreviewed } from './preview.ts'
import { type SavedFile, tellFailure, MAX_PAGE_BYTES } from '../files/file-button.tsx'

/** A downloaded file and its preview. */
interface Shown {
  content: Blob
  /** Object URL of the preview; undefined if the content does not match the file name. */
  url: string | undefined
  isPdf: boolean
}

/**
 * Shows a dialog that downloads a file once and shows it, with a button that saves the downloaded bytes. Closing
 * it cancels the download. If the download fails, closes and shows an alert.
 */
function PreviewDialog({ file, onClose }: { file: SavedFile; onClose: () => void }) {
  const { files: t, forms } = usePortalMessages()
  const { storedName, storedPath, fileName, fileSize } = file
  const [percent, setPercent] = useState<number>()
  const [shown, setShown] = useState<Shown>()
  const fail = useEffectEvent(async (error: unknown) => {
    // The dialog closes before the alert opens, so that the focus can return to the button.
    flushSync(onClose)
    await tellFailure(error)
  })

  useEffect(() => {
    const stop = new AbortController()
    let url: string | undefined
    const show = async () => {
      const content = await callForFile(
        downloadFile,
        { storedName, storedPath },
        {
          inline: 'unreachable',
          signal: stop.signal,
          onProgress: (received) => setPercent(Math.min(Math.floor((received / fileSize) * 100), 100)),
        },
      )
      const preview = await previewOf(fileName, content)
      if (stop.signal.aborted) return
      url = preview && URL.createObjectURL(preview)
      setShown({ content, url, isPdf: preview !== undefined && isPdf(preview) })
    }
    show().catch((error: unknown) => {
      if (!stop.signal.aborted) void fail(error)
    })
    return () => {
      stop.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [storedName, storedPath, fileName, fileSize])

  return (
    <Dialog
      title={fileName}
      width="wide"
      closeLabel={forms.close}
      onClose={onClose}
      footer={
        <Button
          variant="primary"
          isDisabled={shown === undefined}
          onClick={() => shown && saveContent(shown.content, fileName)}
        >
          {t.previewSave}
        </Button>
      }
    >
      <div className={styles.place}>
        {shown === undefined ? (
          <div className={styles.waiting}>
            <output>{t.previewLoading}</output>
            <ProgressBar label={t.previewLoading} percent={percent} />
          </div>
        ) : (
          <Content shown={shown} name={fileName} />
        )}
      </div>
    </Dialog>
  )
}

/** Shows a PDF or an image; a text if its content is no such file or the browser cannot show it. */
function Content({ shown: { url, isPdf: isDocument }, name }: { shown: Shown; name: string }) {
  const t = usePortalMessages().files
  const [isBroken, setBroken] = useState(false)
  if (url === undefined || isBroken) return <output>{t.previewFailed}</output>
  // No `sandbox`: browsers show no PDF in one. Of this type alone it can be nothing but a PDF, whose viewer is sandboxed.
  // oxlint-disable-next-line react/iframe-missing-sandbox
  if (isDocument) return <iframe className={styles.document} src={url} title={t.previewOf(name)} />
  return <img className={styles.image} src={url} alt={name} onError={() => setBroken(true)} />
}

/**
 * Shows a button that previews an image or a PDF in a dialog (rules/files#preview). Renders nothing for other types,
 * for a PDF if the browser has no viewer, or for files above MAX_PAGE_BYTES.
 */
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
