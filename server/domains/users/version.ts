import { versionOf as digestOf } from '../../db/version.ts'
import type { findUser } from './queries.ts'

/** A record as `findUser` reads it. */
export type UserRecord = Awaited<ReturnType<typeof findUser>>

/** The basic card's part of a record. */
export const basicFields = ({ USER_ID, BELONGTO_CODE, RANK, NAME, PHONE_NUMBER, E_MAIL }: UserRecord) => ({
  USER_ID,
  BELONGTO_CODE,
  RANK,
  NAME,
  PHONE_NUMBER,
  E_MAIL,
})

const adminFields = (user: UserRecord) => [
  user.EXPIRY_DATETIME_START,
  user.EXPIRY_DATETIME_END,
  user.PARTNER_CODE,
  user.AUTHORITYS_CODE,
  user.APPROVA_CODE,
]

/** VERSION of a record by what its form edits: a login or a password, which no form shows, leaves it alone. */
export function versionOf(user: UserRecord, isOwn: boolean): string {
  return digestOf([...Object.values(basicFields(user)), ...(isOwn ? [] : adminFields(user))])
}
