import type { OutputOf } from '../../../contract/endpoint.ts'
import type { sendTestMail } from '../../../contract/settings.ts'
import { mailProblems as en } from '../../../contract/messages/en/mail-problems.ts'
import { mailProblems as ko } from '../../../contract/messages/ko/mail-problems.ts'
import { createTexts } from '../../language.tsx'
import layout from '../../ui/layout.module.css'
import { useSettingsTexts } from './settings-texts.ts'
import styles from './settings.module.css'

/** Returns the texts of mail failures. */
const useMailProblems = createTexts({ ko, en })

/** The outcome of the last mail. */
interface Props {
  /** Shown while the mail is being sent; undefined if none is. */
  pending: string | undefined
  /** Undefined before the first mail. */
  outcome: OutputOf<typeof sendTestMail> | undefined
}

/** Scrolls an element into view. */
const reveal = (element: Element | null) => element?.scrollIntoView({ block: 'nearest' })

/**
 * Shows and announces the outcome of a mail that was sent immediately: sent, written to a file, or failed with the
 * reason. Shows nothing before the first mail. Scrolls to it, because the form above may end at the edge of the window.
 */
export function MailOutcome({ pending, outcome }: Props) {
  return (
    <output className={styles.outcome}>
      {pending ??
        (outcome !== undefined && (
          <span ref={reveal}>
            <Outcome outcome={outcome} />
          </span>
        ))}
    </output>
  )
}

/** Shows the outcome as text; for a failure with its reason and what the mail server said. */
function Outcome({ outcome }: { outcome: OutputOf<typeof sendTestMail> }) {
  const t = useSettingsTexts()
  const problems = useMailProblems()
  const { email, state, path, problem = 'other', detail } = outcome
  if (state === 'sent') return t.mailSent(email)
  if (state === 'written') return t.mailWritten(path)
  return (
    <>
      <strong className={styles.failed}>{t.mailFailed(email)}</strong>
      <br />
      {problems[problem]}
      {detail !== '' && (
        <>
          <br />
          <span className={layout.hint}>{t.mailDetail(detail)}</span>
        </>
      )}
    </>
  )
}
