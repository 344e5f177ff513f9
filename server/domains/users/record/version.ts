import { versionOf as digestOf } from '../../../db/version.ts'

/** The fields that both cards of the user form edit. */
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

/** Returns the fields of the basic card. */
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

/** Returns the version of a record: a digest of the fields that its form edits. A login or a new password does not change it. */
export function versionOf(user: EditedFields, isOwn: boolean): string {
  return digestOf([...Object.values(basicFields(user)), ...(isOwn ? [] : adminFields(user))])
}
