import * as z from 'zod/mini'
import { areSameText } from '../../../contract/fields.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { APPROVAL, datesInOrder, registrationFields } from '../../../contract/users.ts'
import { today } from '../../forms/today.ts'

/** The rules of /user/insert: the wire's fields and the confirmation, which stays in the page (spec §5). */
export const registration = z
  .strictObject({ ...registrationFields, CONFIRMATION: z.string().check(z.minLength(1, 'required')) })
  .check(
    datesInOrder,
    z.refine((form) => form.CONFIRMATION === '' || areSameText(form.PASSWORD, form.CONFIRMATION), {
      error: 'passwordMismatch',
      path: ['CONFIRMATION'],
    }),
  )

/** What a manager types to register somebody. */
export type RegisterValues = z.input<typeof registration>

/** What most new users are: ordinary, approved, from today. */
export function emptyRegistration(): RegisterValues {
  return {
    USER_ID: '',
    PASSWORD: '',
    CONFIRMATION: '',
    BELONGTO_CODE: '',
    RANK: '',
    NAME: '',
    PHONE_NUMBER: '',
    E_MAIL: '',
    EXPIRY_DATETIME_START: today(),
    EXPIRY_DATETIME_END: '',
    PARTNER_CODE: '',
    AUTHORITYS_CODE: ROLE.user,
    APPROVA_CODE: APPROVAL.approved,
  }
}
