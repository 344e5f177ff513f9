import * as z from 'zod/mini'
import { areSameText } from '../../contract/fields.ts'

/** The second time that a new password is typed, which stays in the page (rules/account#password-confirmation). */
export const confirmation = z.string().check(z.minLength(1, 'required'))

/** Whether both are the same: normalised, or as they were typed where the password breaks a rule of its own. */
export const confirmed = z.refine<{ password: string; confirmation: string }>(
  (typed) => typed.confirmation === '' || areSameText(typed.password, typed.confirmation),
  { error: 'passwordMismatch', path: ['confirmation'] },
)
