import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { downloadFile, type getNotice, linkFile } from '../../../../contract/notices.ts'
import { followDownload, saveContent } from '../../../api/save-content.ts'
import { CallError } from '../../../api/call-error.ts'
import { call, callForFile } from '../../../api/client.ts'
import { portalMessages } from '../../../language.tsx'
import { dialogs } from '../../../ui/dialogs.ts'

/** An attached file as a notice names it. */
export type SavedFile = OutputOf<typeof getNotice>['files'][number]

/** Above it the browser's own download takes over, which keeps nothing in memory (design/uploads-and-files#downloads). */
export const MAX_PAGE_BYTES = 32 * 1024 * 1024

/**
 * Saves attached files under their original names; failures are told (rules/files#file-missing).
 * @returns `percent` while a file comes through the page; a large one shows its progress among the browser's downloads
 */
export function useDownload() {
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
      // Gone before the alert comes, so that the focus finds its way back to the button.
      flushSync(() => setPending(false))
      if (!stop.signal.aborted) await tellFailure(error)
    } finally {
      setPending(false)
    }
  }

  return { isPending, percent, download, cancel: () => running.current?.abort() }
}

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

/** Tells why a file could not be had. @throws whatever is not a CallError: a defect, which must not look like a refusal */
export async function tellFailure(error: unknown): Promise<void> {
  if (!(error instanceof CallError)) throw error
  const t = portalMessages().files
  if (!error.isHandled)
    await dialogs.alert({ message: error.status === 400 ? t.fileMissing : t.downloadFailed })
}
