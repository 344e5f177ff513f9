import { picturesIn } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from '../write/memo-field.module.css'
import type { SentPicture } from './use-pictures.ts'

interface Props {
  text: string
  sent: readonly SentPicture[]
  /** Reasons why selected files cannot be images of the text. */
  problems: readonly string[]
  onRetry: (name: string) => void
  onRemove: (name: string) => void
}

/** Shows the images of a text that are not stored yet. Leaves out images that the text no longer contains. */
export function SentPictures({ text, sent, problems, onRetry, onRemove }: Props) {
  const t = usePortalMessages().notices.pictures
  const { sendAgain } = usePortalMessages().files
  const named = new Set(picturesIn(text))
  const here = sent.filter(({ name }) => named.has(name))
  const [first, ...others] = here.filter(({ problem }) => problem === undefined)
  return (
    <div className={styles.pictures}>
      <output>{first !== undefined && t.sending(first.fileName, first.percent, others.length)}</output>
      {problems.map((problem) => (
        <p key={problem} role="alert" className={styles.problem}>
          {problem}
        </p>
      ))}
      {here.map(
        ({ name, fileName, problem }) =>
          problem !== undefined && (
            <div key={name} className={styles.failed}>
              <p role="alert" className={styles.problem}>
                {t.failed(fileName, problem)}
              </p>
              <Button size="small" onClick={() => onRetry(name)}>
                {sendAgain}
              </Button>
              <Button size="small" onClick={() => onRemove(name)}>
                {t.remove}
              </Button>
            </div>
          ),
      )}
    </div>
  )
}
