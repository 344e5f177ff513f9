import { useWatch } from 'react-hook-form'
import { newPassword } from '../../../contract/fields.ts'
import { useMessages } from '../../language.tsx'
import { classes } from '../../ui/classes.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import type { PasswordChange } from './password-form.tsx'
import styles from './password-form.module.css'

/**
 * The rules of a new password, ticked off while the person types (decisions §4). The contract's schema
 * decides; what needs the person's data is checked by the server and says so.
 */
export function PasswordRules() {
  const t = useMessages().account
  const [password, confirmation] = useWatch<PasswordChange, ['NEW_PASSWORD', 'CONFIRMATION']>({
    name: ['NEW_PASSWORD', 'CONFIRMATION'],
  })
  const wrong = new Set(newPassword.safeParse(password).error?.issues.map(({ message }) => message))
  const isLong = password.length >= 8 && !wrong.has('tooLong|128')
  return (
    <div className={styles.rules}>
      <h2>{t.rules}</h2>
      <ul>
        <Rule text={t.ruleLength} isMet={isLong} />
        <Rule text={t.ruleKinds} isMet={isLong && !wrong.has('passwordTooSimple')} />
        <Rule
          text={t.ruleMatch}
          isMet={password !== '' && password.normalize('NFC') === confirmation.normalize('NFC')}
        />
        <Rule text={t.ruleCommon} />
        <Rule text={t.rulePersonal} />
        <Rule text={t.ruleReuse} />
      </ul>
    </div>
  )
}

/** `isMet` undefined: only the server can tell. */
function Rule({ text, isMet }: { text: string; isMet?: boolean }) {
  const t = useMessages().account
  const state = isMet === undefined ? t.ruleChecked : isMet ? t.ruleMet : t.ruleUnmet
  return (
    <li className={classes(styles.rule, isMet && styles.met)}>
      {isMet ? <CheckIcon size={16} /> : <span className={styles.mark} />}
      <span>
        {text} <span className={isMet === undefined ? undefined : 'visually-hidden'}>({state})</span>
      </span>
    </li>
  )
}
