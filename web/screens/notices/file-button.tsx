import { usePortalMessages } from '../../language.tsx'
import { FileIcon } from '../../ui/icons.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import styles from './file-button.module.css'
import { type SavedFile, useDownload } from './use-download.ts'

/** An attached file's original name; a press saves the file under it (spec §2, §7). */
export function FileButton({ file }: { file: SavedFile }) {
  const t = usePortalMessages().files
  const { isPending, percent, download } = useDownload()
  const name = file.ORIGINAL_FILE_NAME

  return (
    <span className={styles.whole}>
      <button
        type="button"
        className={styles.file}
        aria-label={t.download(name)}
        aria-busy={isPending || undefined}
        title={name}
        onClick={() => void download(file)}
      >
        {isPending ? <Spinner size={15} /> : <FileIcon size={15} />}
        <span>{name}</span>
      </button>
      {isPending && percent !== undefined && (
        <span className={styles.progress}>
          <ProgressBar label={t.downloading(name)} percent={percent} />
          {t.percent(percent)}
        </span>
      )}
    </span>
  )
}
