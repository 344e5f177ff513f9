import { usePortalMessages, portalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { FileIcon } from '../../../ui/icons.tsx'
import layout from '../../../ui/layout.module.css'
import { LoadingOverlay } from '../../../ui/loading-overlay.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import styles from './file-button.module.css'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { downloadFile, type getNotice, linkFile } from '../../../../contract/notices.ts'
import { followDownload, saveContent } from '../../../api/download.ts'
import { CallError } from '../../../api/call-error.ts'
import { callForFile } from '../../../api/call-for-file.ts'
import { call } from '../../../api/client.ts'
import { dialogs } from '../../../ui/dialogs.ts'

/**
 * Shows the name of an attached file as a button that downloads it (rules/files#download). Meanwhile an overlay
 * shows the progress and a button that cancels.
 */
export function FileButton({ file }: { file: SavedFile }) {
  const t = usePortalMessages().files
  const { isPending, percent, download, cancel } = useDownload()
  const name = file.fileName

  return (
    <>
      <button
        type="button"
        className={classes(layout.textButton, styles.file)}
        aria-label={t.download(name)}
        title={name}
        onClick={() => void download(file)}
      >
        <FileIcon size={15} />
        <span>{name}</span>
      </button>
      {isPending && (
        <LoadingOverlay label={t.downloading(name)} onCancel={cancel}>
          <div className={styles.progress}>
            {percent !== undefined && (
              <>
                <ProgressBar label={t.downloading(name)} percent={percent} />
                <span>{t.percent(percent)}</span>
              </>
            )}
            <Button size="small" onClick={cancel}>
              {t.cancelDownload}
            </Button>
          </div>
        </LoadingOverlay>
      )}
    </>
  )
}

/** Attached file, as a notice lists it. */
export type SavedFile = OutputOf<typeof getNotice>['files'][number]

/**
 * Largest file in bytes that the page downloads itself. Larger files use the browser's download, which keeps
 * nothing in memory (design/uploads-and-files#downloads).
 */
export const MAX_PAGE_BYTES = 32 * 1024 * 1024

/**
 * Returns the action that downloads an attached file and saves it under its original name, its state, and its
 * cancellation. Shows an alert after a failure (rules/files#file-missing), but not if the user canceled.
 * @returns `percent` while the page transfers a file; undefined for a large one, whose progress the browser's
 * download list shows
 */
function useDownload() {
  const [isPending, setPending] = useState(false)
  const [percent, setPercent] = useState<number>()
  const running = useRef<AbortController>(undefined)

  async function download(file: SavedFile) {
    const stop = new AbortController()
    running.current = stop
    setPercent(undefined)
    setPending(true)
    try {
      await save(file, stop.signal, (received) =>
        setPercent(Math.min(Math.floor((received / file.fileSize) * 100), 100)),
      )
    } catch (error) {
      // Ends the pending state before the alert opens, so that the focus can return to the button.
      flushSync(() => setPending(false))
      if (!stop.signal.aborted) await tellFailure(error)
    } finally {
      setPending(false)
    }
  }

  return { isPending, percent, download, cancel: () => running.current?.abort() }
}

/** Saves a file: up to MAX_PAGE_BYTES as loaded by the page, a larger one by a link that the browser downloads. */
async function save(
  { storedName, storedPath, fileName, fileSize }: SavedFile,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<void> {
  const which = { storedName, storedPath }
  if (fileSize > MAX_PAGE_BYTES) {
    const { url: href } = await call(linkFile, which, { inline: 'unreachable', signal })
    followDownload(href, fileName)
  } else {
    const content = await callForFile(downloadFile, which, { inline: 'unreachable', signal, onProgress })
    saveContent(content, fileName)
  }
}

/**
 * Shows an alert why a file could not be downloaded or previewed: it is missing, or the download failed. Shows
 * nothing if the global error handling has shown it already.
 * @throws any error that is not a CallError: a defect must not look like a refusal
 */
export async function tellFailure(error: unknown): Promise<void> {
  if (!(error instanceof CallError)) throw error
  const t = portalMessages().files
  if (!error.isHandled)
    await dialogs.alert({ message: error.status === 400 ? t.fileMissing : t.downloadFailed })
}
