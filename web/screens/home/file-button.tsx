import { useState } from 'react'
import { downloadFile } from '../../../contract/notices.ts'
import { CallError } from '../../api/call-error.ts'
import { callForFile } from '../../api/client.ts'
import { useMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FileIcon } from '../../ui/icons.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import styles from './file-button.module.css'

interface NoticeFile {
  SAVE_FILE_NAME: string
  SAVE_PATH: string
  ORIGINAL_FILE_NAME: string
}

/** An attached file's original name; a press saves the file under it (spec §2, §7). */
export function FileButton({ file }: { file: NoticeFile }) {
  const t = useMessages().home
  const [isPending, setPending] = useState(false)
  const { SAVE_FILE_NAME, SAVE_PATH, ORIGINAL_FILE_NAME } = file

  async function download() {
    if (isPending) return
    setPending(true)
    try {
      saveAs(
        await callForFile(downloadFile, { SAVE_FILE_NAME, SAVE_PATH }, { inline: 'unavailable' }),
        ORIGINAL_FILE_NAME,
      )
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (!error.isHandled) {
        await dialogs.alert({ message: error.status === 400 ? t.fileMissing : t.downloadFailed })
      }
    } finally {
      setPending(false)
    }
  }

  return (
    <button
      type="button"
      className={styles.file}
      aria-label={t.download(ORIGINAL_FILE_NAME)}
      aria-busy={isPending || undefined}
      title={ORIGINAL_FILE_NAME}
      onClick={() => void download()}
    >
      {isPending ? <Spinner size={15} /> : <FileIcon size={15} />}
      <span>{ORIGINAL_FILE_NAME}</span>
    </button>
  )
}

/** Lets the browser keep what a call answered as a file. */
function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The browser has taken its own hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
