import * as z from 'zod/mini'
import { datesInOrder } from '../../../contract/fields.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { APPROVAL, registrationFields } from '../../../contract/users.ts'
import { confirmation, confirmed } from '../../forms/confirmation.ts'
import { today } from '../../forms/today.ts'

/**
 * The rules of /user/insert: the wire's fields and the confirmation, which stays in the page
 * (rules/account#password-confirmation).
 */
export const registration = z
  .strictObject({ ...registrationFields, confirmation })
  .check(datesInOrder, confirmed)

/** What a manager types to register somebody. */
export type RegisterValues = z.input<typeof registration>

/** What most new users are: ordinary, approved, from today. */
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
    validFrom: today(),
    validTo: '',
    partnerCode: '',
    roleCode: ROLE.user,
    approvalCode: APPROVAL.approved,
  }
}
