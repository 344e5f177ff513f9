import { versionOf as digestOf } from '../../../db/version.ts'

/** What both cards of the user form edit. */
export interface EditedFields {
  userId: string
  affiliationCode: string
  position: string
  name: string
  phoneNumber: string
  email: string
  validFrom: string
  validTo: string
  partnerCode: string
  roleCode: string
  approvalCode: string
}

/** The basic card's part of a record. */
export const basicFields = ({
  userId,
  affiliationCode,
  position,
  name,
  phoneNumber,
  email,
}: EditedFields) => ({
  userId,
  affiliationCode,
  position,
  name,
  phoneNumber,
  email,
})

const adminFields = (user: EditedFields) => [
  user.validFrom,
  user.validTo,
  user.partnerCode,
  user.roleCode,
  user.approvalCode,
]

/** The version of a record, by what its form edits: a login or a password, which no form shows, leaves it alone. */
export function versionOf(user: EditedFields, isOwn: boolean): string {
  return digestOf([...Object.values(basicFields(user)), ...(isOwn ? [] : adminFields(user))])
}
