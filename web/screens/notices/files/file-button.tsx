import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { FileIcon } from '../../../ui/icons.tsx'
import layout from '../../../ui/layout.module.css'
import { LoadingOverlay } from '../../../ui/loading-overlay.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import styles from './file-button.module.css'
import { type SavedFile, useDownload } from './use-download.ts'

/**
 * An attached file's original name; a press saves the file under it (rules/files#download), under a loading overlay.
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
