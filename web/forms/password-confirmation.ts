import * as z from 'zod/mini'
import { areSameText } from '../../contract/fields.ts'

/** Schema of the repeated password, which is not sent to the server (rules/account#password-confirmation). */
export const confirmation = z.string().check(z.minLength(1, 'required'))

/** Checks that both passwords are the same in NFC. Allows an empty repetition, which has its own error. */
export const passwordsMatch = z.refine<{ password: string; confirmation: string }>(
  (values) => values.confirmation === '' || areSameText(values.password, values.confirmation),
  { error: 'passwordMismatch', path: ['confirmation'] },
)
