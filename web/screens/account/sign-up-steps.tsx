import { usePortalMessages } from '../../language.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import styles from './sign-up.module.css'

/** Where a sign-up stands: the details, then the e-mail; the approval is somebody else's. */
export function SignUpSteps({ isSent }: { isSent: boolean }) {
  const t = usePortalMessages().account
  const current = isSent ? 1 : 0
  return (
    <ol className={styles.steps} aria-label={t.steps}>
      {[t.stepDetails, t.stepEmail, t.stepApproval].map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? 'step' : undefined}
          className={index < current ? styles.done : undefined}
        >
          <span className={styles.number}>{index < current ? <CheckIcon size={14} /> : index + 1}</span>
          {step}
        </li>
      ))}
    </ol>
  )
}
