import { useState } from 'react'
import { downloadFile, linkFile } from '../../../contract/notices.ts'
import { followDownload, saveContent } from '../../api/save-content.ts'
import { CallError } from '../../api/call-error.ts'
import { call, callForSmallFile } from '../../api/client.ts'
import { portalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'

/** An attached file as a notice names it. */
export interface SavedFile {
  SAVE_FILE_NAME: string
  SAVE_PATH: string
  ORIGINAL_FILE_NAME: string
}

/** Above it the browser's own download takes over, which keeps nothing in memory (ADR 016). */
const MAX_PAGE_BYTES = 32 * 1024 * 1024

/**
 * Saves attached files under their original names; failures are told in the words of spec §8.
 * @returns `percent` while a file comes through the page; a large one shows its progress among the browser's downloads
 */
export function useDownload() {
  const [isPending, setPending] = useState(false)
  const [percent, setPercent] = useState<number>()

  async function download(file: SavedFile) {
    if (isPending) return
    setPending(true)
    try {
      await save(file, (received, total) => setPercent(Math.floor((received / total) * 100)))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const t = portalMessages().files
      if (!error.isHandled) {
        await dialogs.alert({ message: error.status === 400 ? t.fileMissing : t.downloadFailed })
      }
    } finally {
      setPending(false)
      setPercent(undefined)
    }
  }

  return { isPending, percent, download }
}

async function save(
  { SAVE_FILE_NAME, SAVE_PATH, ORIGINAL_FILE_NAME }: SavedFile,
  onProgress: (received: number, total: number) => void,
): Promise<void> {
  const which = { SAVE_FILE_NAME, SAVE_PATH }
  const content = await callForSmallFile(downloadFile, which, {
    inline: 'unavailable',
    maxBytes: MAX_PAGE_BYTES,
    onProgress,
  })
  if (content === null) {
    const { URL: href } = await call(linkFile, which, { inline: 'unavailable' })
    followDownload(href, ORIGINAL_FILE_NAME)
    return
  }
  saveContent(content, ORIGINAL_FILE_NAME)
}
