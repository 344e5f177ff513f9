import { sql } from 'kysely'
import { newPassword } from '../../../contract/fields.ts'
import { isProgramWord } from '../../../contract/reserved-names.ts'
import { en } from '../../../contract/messages/en.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { APPROVAL } from '../../../contract/users.ts'
import { validationText } from '../../../contract/validation.ts'
import type { Config } from '../../config.ts'
import { StartRefusal } from '../../startup-error.ts'
import type { Services } from '../../http/handler.ts'
import type { SealKeys } from '../../services/encryption.ts'
import { temporaryPassword, weaknessOf } from '../../services/password.ts'
import { LOCK } from '../../db/locks.ts'
import { HEAD_OFFICE } from '../../db/seed/codes.ts'
import type { Db, Tx } from '../../db/database.ts'
import { insertAccount } from './queries.ts'

/** Placeholder, which the first administrator who logs in replaces. */
const PHONE_NUMBER = '00000000000'

/**
 * Creates the administrator of the configuration if the database has no users (rules/running#first-administrator).
 * The password is ADMIN_PASSWORD, or without it a generated one that must be changed at the first login.
 * @returns the login ID, with the password only if it was generated; null if there are users already, and nothing
 * is created
 * @throws {StartRefusal} if ADMIN_PASSWORD violates the password rules; and as `insertAdmin`
 */
export async function createFirstAdmin(
  db: Db,
  { config, passwords, keySecret }: Pick<Services, 'config' | 'passwords' | 'keySecret'>,
): Promise<{ userId: string; password: string | null } | null> {
  return db.transaction().execute(async (tx) => {
    // Two servers that start concurrently on an empty database must create only one administrator.
    await sql`select pg_advisory_xact_lock(${LOCK.firstAdmin})`.execute(tx)
    const someone = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (someone) return null

    const made = config.secrets.adminPassword === '' ? temporaryPassword() : null
    const hash = await passwords.hash(made ?? (await checkAdminPassword(config)))
    await insertAdmin(tx, { ...config.admin, hash, isTemporary: made !== null }, keySecret)
    return { userId: config.admin.userId, password: made }
  })
}

/**
 * Inserts an approved administrator account in the head office, valid without an end date. Its name (관리자) and
 * phone number (zeros) are placeholders that the user replaces. Sends no email and writes no audit row.
 * @param hash stored hash of the password; `isTemporary` makes the user change the password at the first login
 * @returns users.id
 * @throws {Refusal} USER_ID_TAKEN, EMAIL_TAKEN
 * @throws {StartRefusal} if programs read the ID as something else, such as `null`
 */
export async function insertAdmin(
  tx: Tx,
  { userId, email, hash, isTemporary }: { userId: string; email: string; hash: string; isTemporary: boolean },
  keys: SealKeys,
): Promise<string> {
  if (isProgramWord(userId))
    throw new StartRefusal(
      `${userId} cannot be an ID, because programs interpret it differently. Choose another one.`,
    )
  return insertAccount(
    tx,
    {
      loginId: userId,
      passwordHash: hash,
      passwordTemporary: isTemporary,
      name: '관리자',
      position: '관리자',
      phoneNumber: PHONE_NUMBER,
      email,
      affiliationCode: HEAD_OFFICE,
      roleCode: ROLE.admin,
      approvalCode: APPROVAL.approved,
      validFrom: null,
      validTo: null,
      partnerId: null,
    },
    keys,
  )
}

/**
 * Returns ADMIN_PASSWORD if it fulfills the password rules, also those about the account's own ID and email.
 * @throws {StartRefusal} with the reason if it does not
 */
async function checkAdminPassword({ admin, secrets }: Config): Promise<string> {
  const result = newPassword.safeParse(secrets.adminPassword)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new StartRefusal(`ADMIN_PASSWORD was rejected: ${validationText(en, issue?.message ?? '')}`)
  }
  const weakness = await weaknessOf(result.data, { ...admin, phoneNumber: PHONE_NUMBER })
  if (weakness !== null) throw new StartRefusal(`ADMIN_PASSWORD was rejected: ${en.errors[weakness]}`)
  return result.data
}
