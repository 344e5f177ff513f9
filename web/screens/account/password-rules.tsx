import { useWatch } from 'react-hook-form'
import { areSameText, newPassword } from '../../../contract/fields.ts'
import type { PasswordOwner } from '../../../contract/password-weakness.ts'
import { usePortalMessages } from '../../language.tsx'
import { classes } from '../../ui/classes.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { usePasswordWeakness } from './use-password-weakness.ts'
import styles from './password-form.module.css'

/** What the rules are about, of what a form asks. */
interface Typed extends PasswordOwner {
  password: string
  newPassword: string
  confirmation: string
}

interface Props {
  /**
   * The field of the form around it. `password` is the first one of the person whom the form is about: it has no earlier
   * ones, and is not called new.
   */
  name: 'password' | 'newPassword'
  /** Whose password it is, as far as the page knows, where the form is about nobody. */
  person?: PasswordOwner | undefined
  /** When the server tells what the page cannot know; the words of one's own password unless told. */
  laterText?: string | undefined
  /** 1 unless told. */
  columns?: 1 | 2 | undefined
}

/**
 * The rules of a new password, ticked off while the person types (rules/account#password-rules). The contract's schema
 * decides; what the page cannot know (earlier passwords, whose the password is) is checked by the server, and
 * the rule says so.
 */
export function PasswordRules({ name, person, laterText, columns = 1 }: Props) {
  const isFirst = name === 'password'
  const { [name]: password = '', confirmation = '', ...typed } = useWatch<Typed>()
  const { userId = '', phoneNumber = '', email = '' } = typed
  const t = usePortalMessages().account
  const wrong = new Set(newPassword.safeParse(password).error?.issues.map(({ message }) => message))
  const isLong = password.length >= 8 && !wrong.has('tooLong|128')
  const { isCommon, isPersonal } = usePasswordWeakness(
    password,
    isFirst ? { userId, phoneNumber, email } : person,
  )
  const later = laterText ?? (isFirst ? t.ruleCheckedOnRequest : t.ruleChecked)
  return (
    <div className={styles.rules} data-columns={columns}>
      <h2>{t.rules}</h2>
      <ul>
        <Rule text={t.ruleLength} isMet={isLong} />
        <Rule text={t.ruleKinds} isMet={isLong && !wrong.has('passwordTooSimple')} />
        <Rule
          text={isFirst ? t.ruleMatchPassword : t.ruleMatch}
          isMet={password !== '' && areSameText(password, confirmation)}
        />
        <Rule text={t.ruleCommon} {...known(isCommon, later)} />
        <Rule text={t.rulePersonal} {...known(isPersonal, later)} />
        {!isFirst && <Rule text={t.ruleReuse} later={later} />}
      </ul>
    </div>
  )
}

/** A weakness that is known is a rule met or not; one that is not is the server's to find. */
const known = (isWeak: boolean | undefined, later: string) =>
  isWeak === undefined ? { later } : { isMet: !isWeak }

/** `later`: only the server can tell, and says so then. */
function Rule({ text, isMet, later }: { text: string; isMet?: boolean; later?: string }) {
  const t = usePortalMessages().account
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
