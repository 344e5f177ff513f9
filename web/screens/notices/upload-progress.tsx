import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { bytesAsText } from './bytes.ts'
import styles from './upload-progress.module.css'
import type { UploadState } from './use-upload.ts'

/** A running upload: how far, how fast, how much longer, and a way to stop it. */
export function UploadProgress({ progress, onCancel }: { progress: UploadState; onCancel: () => void }) {
  const t = usePortalMessages().files
  const { fileName, loadedBytes, totalBytes, phase } = progress
  const percent = totalBytes === 0 ? 100 : Math.floor((loadedBytes / totalBytes) * 100)

  return (
    <section className={styles.upload} aria-label={t.sending(fileName)}>
      <p className={styles.name} title={fileName}>
        {fileName}
      </p>
      <div className={styles.bar}>
        <ProgressBar label={t.sending(fileName)} percent={phase === 'starting' ? undefined : percent} />
        <span className={styles.percent}>{phase !== 'starting' && t.percent(percent)}</span>
      </div>
      <div className={styles.below}>
        <p className={styles.words}>
          {phase !== 'starting' && <span>{t.sentOf(bytesAsText(loadedBytes), bytesAsText(totalBytes))}</span>}
          {phase === 'sending' && <Pace progress={progress} />}
        </p>
        <output className={phase === 'interrupted' ? styles.interrupted : styles.words}>
          {phase === 'sending' ? '' : t[phase]}
        </output>
        <Button size="small" isDisabled={phase === 'finishing'} onClick={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </section>
  )
}

function Pace({ progress: { bytesPerSecond, secondsLeft } }: { progress: UploadState }) {
  const t = usePortalMessages().files
  if (bytesPerSecond <= 0 || secondsLeft === null) return null
  return (
    <>
      <span>{t.perSecond(bytesAsText(bytesPerSecond))}</span>
      <span>{t.secondsLeft(secondsLeft)}</span>
    </>
  )
}
