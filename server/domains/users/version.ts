import { versionOf as digestOf } from '../../db/version.ts'
import type { findUser } from './queries.ts'

/** A record as `findUser` reads it. */
export type UserRecord = Awaited<ReturnType<typeof findUser>>

/** The basic card's part of a record. */
export const basicFields = ({ userId, affiliationCode, position, name, phoneNumber, email }: UserRecord) => ({
  userId,
  affiliationCode,
  position,
  name,
  phoneNumber,
  email,
})

const adminFields = (user: UserRecord) => [
  user.validFrom,
  user.validTo,
  user.partnerCode,
  user.roleCode,
  user.approvalCode,
]

/** VERSION of a record by what its form edits: a login or a password, which no form shows, leaves it alone. */
export function versionOf(user: UserRecord, isOwn: boolean): string {
  return digestOf([...Object.values(basicFields(user)), ...(isOwn ? [] : adminFields(user))])
}
