import { createHash } from 'node:crypto'
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

/**
 * VERSION of a record: a digest of what its form edits. Not a counter: whatever call changes the record, now or in a
 * later version of Maru, gives it another one, and what no form shows (a login, a password) leaves it alone.
 */
export function versionOf(user: UserRecord, isOwn: boolean): string {
  const edited = [...Object.values(basicFields(user)), ...(isOwn ? [] : adminFields(user))]
  return createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22)
}
