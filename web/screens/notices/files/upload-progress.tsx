import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { bytesAsText } from './bytes.ts'
import type { UploadState } from './transfer.ts'
import styles from './upload-progress.module.css'

interface Props {
  fileName: string
  progress: UploadState
  /** Cancels the upload. If undefined, there is no button for it. */
  onCancel?: () => void
  /** Retries a failed upload. If undefined, there is no button for it. */
  onRetry?: () => void
}

/**
 * Shows the sent bytes of an upload, its speed and remaining time while it is sent, otherwise its state in words.
 * Buttons cancel it until it is stored, and retry it after a failure.
 */
export function UploadProgress({ fileName, progress, onCancel, onRetry }: Props) {
  const t = usePortalMessages().files
  const { loadedBytes, totalBytes, phase } = progress
  const percent = totalBytes === 0 ? 100 : Math.floor((loadedBytes / totalBytes) * 100)
  const isWarning = phase === 'interrupted' || phase === 'signedOut'

  return (
    <section className={styles.upload} aria-label={t.sending(fileName)}>
      <div className={styles.bar}>
        <ProgressBar label={t.sending(fileName)} percent={phase === 'starting' ? undefined : percent} />
        <span className={styles.percent}>{phase !== 'starting' && t.percent(percent)}</span>
      </div>
      <div className={styles.below}>
        <p className={styles.words}>
          {phase !== 'starting' && <span>{t.sentOf(bytesAsText(loadedBytes), bytesAsText(totalBytes))}</span>}
          {phase === 'sending' && <Pace progress={progress} />}
        </p>
        <output className={isWarning ? styles.interrupted : styles.words}>
          {phase === 'sending' || phase === 'failed' ? '' : t[phase]}
        </output>
        {phase === 'failed' && onRetry !== undefined && (
          <Button size="small" onClick={onRetry}>
            {t.sendAgain}
          </Button>
        )}
        {phase !== 'stored' && onCancel !== undefined && (
          <Button size="small" onClick={onCancel}>
            {t.cancel}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Shows the speed and the remaining time of an upload; nothing while the speed is unknown. */
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
