import { newPassword } from '../../../contract/fields.ts'
import { useMessages } from '../../language.tsx'
import { classes } from '../../ui/classes.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import styles from './password-form.module.css'

interface Props {
  password: string
  confirmation: string
  /** A first password (sign-up) has no earlier ones, and is not called new. */
  isFirst?: boolean | undefined
}

/**
 * The rules of a new password, ticked off while the person types (decisions §4). The contract's schema
 * decides; what needs the person's data or the list of common passwords is checked by the server, which
 * says so.
 */
export function PasswordRules({ password, confirmation, isFirst = false }: Props) {
  const t = useMessages().account
  const wrong = new Set(newPassword.safeParse(password).error?.issues.map(({ message }) => message))
  const isLong = password.length >= 8 && !wrong.has('tooLong|128')
  const later = isFirst ? t.ruleCheckedOnRequest : t.ruleChecked
  return (
    <div className={styles.rules}>
      <h2>{t.rules}</h2>
      <ul>
        <Rule text={t.ruleLength} isMet={isLong} />
        <Rule text={t.ruleKinds} isMet={isLong && !wrong.has('passwordTooSimple')} />
        <Rule
          text={isFirst ? t.ruleMatchPassword : t.ruleMatch}
          isMet={password !== '' && password.normalize('NFC') === confirmation.normalize('NFC')}
        />
        <Rule text={t.ruleCommon} later={later} />
        <Rule text={t.rulePersonal} later={later} />
        {!isFirst && <Rule text={t.ruleReuse} later={later} />}
      </ul>
    </div>
  )
}

/** `later`: only the server can tell, and says so then. */
function Rule({ text, isMet, later }: { text: string; isMet?: boolean; later?: string }) {
  const t = useMessages().account
  const state = later ?? (isMet ? t.ruleMet : t.ruleUnmet)
  return (
    <li className={classes(styles.rule, isMet && styles.met)}>
      {isMet ? <CheckIcon size={16} /> : <span className={styles.mark} />}
      <span>
        {text} <span className={later === undefined ? 'visually-hidden' : undefined}>({state})</span>
      </span>
    </li>
  )
}
