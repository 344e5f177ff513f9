import * as z from 'zod/mini'
import { CERTIFY_TYPE, signUp } from '../../../contract/account.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { areSameText } from '../../../contract/fields.ts'

const confirmed = z.refine<{ PASSWORD: string; CONFIRMATION: string }>(
  // Both are normalised by now, or as they were typed where the password breaks a rule of its own.
  ({ PASSWORD, CONFIRMATION }) => CONFIRMATION === '' || areSameText(PASSWORD, CONFIRMATION),
  { error: 'passwordMismatch', path: ['CONFIRMATION'] },
)

const fields = z.extend(z.omit(signUp.input, { CERTIFY_TYPE_CODE: true }), {
  CONFIRMATION: z.string().check(z.minLength(1, 'required')),
})

/** The rules of the second submit: the wire's fields and the confirmation, which stays in the page (spec §5). */
export const signUpFull = fields.check(confirmed)

/** The rules of the first submit, when there is no code yet. */
export const signUpMain = z.extend(fields, { CERTIFY_NUMBER: z.string() }).check(confirmed)

/** What a person types to sign up. */
export type SignUpForm = z.input<typeof signUpFull>

export const emptySignUp: SignUpForm = {
  USER_ID: '',
  PASSWORD: '',
  CONFIRMATION: '',
  BELONGTO_CODE: '',
  RANK: '',
  NAME: '',
  PHONE_NUMBER: '',
  E_MAIL: '',
  CERTIFY_NUMBER: '',
}

/** What outlives a reload while a code is out: no password. */
export const KEPT_OF_SIGN_UP = ['USER_ID', 'BELONGTO_CODE', 'RANK', 'NAME', 'PHONE_NUMBER', 'E_MAIL'] as const

/** The form as the wire wants it: without the confirmation. */
export function requestOf(form: SignUpForm): InputOf<typeof signUp> {
  const { USER_ID, PASSWORD, BELONGTO_CODE, RANK, NAME, PHONE_NUMBER, E_MAIL, CERTIFY_NUMBER } = form
  const person = { USER_ID, PASSWORD, BELONGTO_CODE, RANK, NAME, PHONE_NUMBER, E_MAIL }
  return { ...person, CERTIFY_TYPE_CODE: CERTIFY_TYPE.signUp, CERTIFY_NUMBER }
}
