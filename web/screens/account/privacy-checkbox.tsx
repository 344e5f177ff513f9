import { useController } from 'react-hook-form'
import { validationText } from '../../../contract/validation.ts'
import { usePortalConfig } from '../../api/config.ts'
import { usePortalMessages } from '../../language.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import layout from '../../ui/layout.module.css'
import cardStyles from './account-card.module.css'
import styles from './sign-up.module.css'
import { usePrivacyTexts } from './privacy-texts.ts'
import type { SignUpForm } from './sign-up-form.ts'

/**
 * Asks an applicant to accept the privacy notice; shows nothing if none is published
 * (rules/account#privacy-acceptance). The field of the form has the number of the accepted version.
 */
export function PrivacyCheckbox() {
  const t = usePrivacyTexts()
  const messages = usePortalMessages()
  const { privacy } = usePortalConfig()
  const { field, fieldState } = useController<SignUpForm>({ name: 'privacyVersion' })
  if (privacy === undefined) return null
  return (
    <div className={layout.stack}>
      <div className={styles.privacy}>
        <Checkbox
          {...field}
          label={t.accept}
          // Another version unticks it.
          value={field.value === String(privacy)}
          onChange={(isAccepted) => field.onChange(isAccepted ? String(privacy) : '')}
        />
        <a href="/privacy" target="_blank" rel="noreferrer" aria-label={`${t.read} (${t.newWindow})`}>
          {t.read}
        </a>
      </div>
      {fieldState.error?.message && (
        <p role="alert" className={cardStyles.refusal}>
          {validationText(messages, fieldState.error.message)}
        </p>
      )}
    </div>
  )
}
