import * as z from 'zod/mini'
import { datesInOrder, newPassword } from '../../../../contract/fields.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { perSlot } from '../../../../contract/custom-fields.ts'
import { APPROVAL, registrationFields } from '../../../../contract/users.ts'
import { passwordsMatch } from '../../../forms/password-confirmation.ts'
import { today } from '../../../forms/today.ts'

/** Schema of an optional new password; '' for none. Without one the user is invited to choose it. */
const passwordOrNone = z.string().check(({ value, issues }) => {
  if (value === '') return
  for (const { message } of newPassword.safeParse(value).error?.issues ?? []) {
    issues.push({ code: 'custom', input: value, message })
  }
})

/** Check that a password is repeated, if there is one. */
const typedTwice = z.refine<{ password: string; confirmation: string }>(
  ({ password, confirmation }) => password === '' || confirmation !== '',
  { error: 'required', path: ['confirmation'] },
)

/**
 * Schema of the form at /user/insert: the fields of the call, and the repeated password, which is never sent
 * (rules/account#password-confirmation). The password is optional; if it is given, both must be equal.
 */
export const registration = z
  .strictObject({ ...registrationFields, password: passwordOrNone, confirmation: z.string() })
  .check(datesInOrder, typedTwice, passwordsMatch)

/** Unvalidated values of the registration form. */
export type RegisterValues = z.input<typeof registration>

/**
 * Returns the values with which the registration form begins: those that fit most new users (일반 사용자, approved, valid
 * from today), and empty texts.
 */
export function emptyRegistration(): RegisterValues {
  return {
    userId: '',
    password: '',
    confirmation: '',
    affiliationCode: '',
    position: '',
    name: '',
    phoneNumber: '',
    email: '',
    teamId: '',
    otherTeamIds: [],
    employeeNumber: '',
    ...perSlot(''),
    validFrom: today(),
    validTo: '',
    partnerCode: '',
    roleCode: ROLE.user,
    approvalCode: APPROVAL.approved,
  }
}
