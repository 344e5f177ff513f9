import { useWatch } from 'react-hook-form'
import { areSameText, newPassword, anyPassword } from '../../../contract/fields.ts'
import type { PasswordOwner } from '../../../contract/password-weakness.ts'
import { usePortalMessages } from '../../language.tsx'
import { classes } from '../../ui/classes.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import styles from './password-form.module.css'
import { useQuery } from '@tanstack/react-query'

/** The form fields that the rules check. */
interface Typed extends PasswordOwner {
  password: string
  newPassword: string
  confirmation: string
}

/** Field and owner of the password. */
interface Props {
  /** The field of the surrounding form. `password` is the first password of the form's user, who has no earlier ones. */
  name: 'password' | 'newPassword'
  /** The owner of the password as far as the page knows, if the form itself names no user. */
  person?: PasswordOwner | undefined
  /** When the server checks the rules that the page cannot check. The default text is that for the user's own password. */
  laterText?: string | undefined
  /** Number of columns on wide screens; 1 by default. */
  columns?: 1 | 2 | undefined
}

/**
 * Shows the rules of a new password and marks those that are met while the user types (rules/account#password-rules).
 * The schema of the contract decides. The server checks what the page cannot know (earlier passwords, the user), and
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
        <Rule text={t.ruleCommon} {...ruleState(isCommon, later)} />
        <Rule text={t.rulePersonal} {...ruleState(isPersonal, later)} />
        {!isFirst && <Rule text={t.ruleReuse} later={later} />}
      </ul>
    </div>
  )
}

/**
 * Returns the state of a rule for `Rule`: met or not if the page knows the weakness, else when the server checks it.
 */
const ruleState = (isWeak: boolean | undefined, later: string) =>
  isWeak === undefined ? { later } : { isMet: !isWeak }

/**
 * Shows a rule with its state.
 * @param later when the server checks the rule, if only it can
 */
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

/** Weaknesses of a password, checked while the user types; undefined while they are unknown. */
interface Weakness {
  isCommon: boolean | undefined
  isPersonal: boolean | undefined
}

/**
 * Checks the rules on common and personal passwords (rules/account#password-rules) while the user types. The list of common
 * passwords is large, so it is loaded with the first character. Until then, or if loading fails, only the server checks.
 * @param person undefined if the page does not know the user, as in the forced change
 */
function usePasswordWeakness(password: string, person: PasswordOwner | undefined): Weakness {
  const { data: rules } = useQuery({
    queryKey: ['password-weakness'],
    queryFn: () => import('../../../contract/password-weakness.ts'),
    enabled: password !== '',
    staleTime: Number.POSITIVE_INFINITY,
    // A module is no plain data to be compared.
    structuralSharing: false,
  })
  // A text that cannot be a password is rejected anyway, and searching it could take long.
  if (rules === undefined || !anyPassword.safeParse(password).success)
    return { isCommon: undefined, isPersonal: undefined }
  return {
    isCommon: rules.isCommonPassword(password),
    isPersonal: person && rules.isPersonalPassword(password, person),
  }
}
