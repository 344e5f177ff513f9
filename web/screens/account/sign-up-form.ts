import * as z from 'zod/mini'
import { signUp } from '../../../contract/account.ts'
import { anyPhoneNumber } from '../../../contract/fields.ts'
import { portalConfig } from '../../api/config.ts'
import { checkPhone } from '../../forms/bound-phone.tsx'
import { confirmation, passwordsMatch } from '../../forms/password-confirmation.ts'

/** Fields of both submits. A phone number must be allowed, and the privacy notice accepted ('privacyNotAccepted'). */
const fields = z.extend(
  z.omit(signUp.input, { certificationType: true, ssoTicket: true, privacyVersion: true }),
  {
    confirmation,
    phoneNumber: anyPhoneNumber.check(checkPhone()),
    /** The accepted version of the privacy notice; '' for none. */
    privacyVersion: z
      .string()
      .check(z.refine((version) => version === String(portalConfig().privacy ?? ''), 'privacyNotAccepted')),
  },
)

/**
 * Schema of the second submit: the fields of the call, and the repeated password, which is never sent
 * (rules/account#password-confirmation).
 */
export const signUpFull = fields.check(passwordsMatch)

/** Schema of the first submit, before the verification code was mailed. The code may have any value. */
export const signUpMain = z.extend(fields, { certificationCode: z.string() }).check(passwordsMatch)

/** Unvalidated values of the sign-up form. */
export type SignUpForm = z.input<typeof signUpFull>

/** Values of a new sign-up form. */
export const emptySignUp: SignUpForm = {
  userId: '',
  password: '',
  confirmation: '',
  affiliationCode: '',
  position: '',
  name: '',
  phoneNumber: '',
  email: '',
  certificationCode: '',
  privacyVersion: '',
}

/** Fields of the sign-up that survive a reload; no password and no code. */
export const STORED_FIELDS = [
  'userId',
  'affiliationCode',
  'position',
  'name',
  'phoneNumber',
  'email',
] as const
