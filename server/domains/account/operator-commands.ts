import { sql } from 'kysely'
import * as z from 'zod/mini'
import { email, userId as userIdField } from '../../../contract/fields.ts'
import { en } from '../../../contract/messages/en.ts'
import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Services } from '../../http/handler.ts'
import { isPerson } from '../../db/sql.ts'
import { recordAudit } from '../../records/audit.ts'
import { temporaryPassword } from '../../services/password.ts'
import { StartRefusal } from '../../startup-error.ts'
import { removeFactors } from './factors.ts'
import { insertAdmin } from './first-admin.ts'
import { saveTemporaryPassword } from './queries.ts'
import { endAccess } from './sessions.ts'

/** Audit actions of operator commands. */
type OperatorAction = 'user.register' | 'user.reset-password' | 'account.remove-factor'

/** Audit context of an operator command: it has no signed-in actor. */
const BY_OPERATOR = { address: '', requestId: '' } as const

/**
 * Gives an account a temporary password, valid for 24 hours. Ends its access (`endAccess`) and the lock of wrong
 * passwords, removes all second factors, and writes audit rows (rules/running#operator-accounts). Sends no mail.
 * @returns the password; in English why the account may still not log in, or null; and whether it had a second factor
 * @throws {StartRefusal} if there is no such account
 */
export async function resetByOperator(
  db: Db,
  { passwords }: Pick<Services, 'passwords'>,
  loginId: string,
): Promise<{ password: string; refusal: string | null; hadFactors: boolean }> {
  const password = temporaryPassword()
  const hash = await passwords.hash(password)
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('users')
      .select(['id', 'loginId', sql<ErrorCode | null>`login_refusal(users)`.as('refusal')])
      .where('loginId', '=', loginId.trim().toLowerCase())
      .where(isPerson('users.id'))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (account === undefined) throw new StartRefusal(`No account has the ID ${loginId}. Check the spelling.`)
    // The removal disables passwords that were handed out, so save the new one afterwards.
    const hadFactors = await removeFactors(tx, account.id)
    await saveTemporaryPassword(tx, account.id, account.loginId, hash)
    await endAccess(tx, account.id)
    await record(tx, 'user.reset-password', account)
    if (hadFactors) await record(tx, 'account.remove-factor', account)
    return { password, refusal: account.refusal && en.errors[account.refusal], hadFactors }
  })
}

/** Schema of the options of `createAdmin`. */
const given = z.object({ userId: userIdField, email })

/**
 * Creates an administrator with a temporary password, and writes the audit row (rules/running#operator-accounts).
 * @returns the password
 * @throws {StartRefusal} if the ID or email is invalid or already in use
 */
export async function createAdmin(
  db: Db,
  { passwords, keySecret }: Pick<Services, 'passwords' | 'keySecret'>,
  wanted: { userId: string; email: string },
): Promise<string> {
  const read = given.safeParse(wanted)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new StartRefusal(
      issue?.path[0] === 'userId'
        ? `${wanted.userId} cannot be an ID. Use 4 to 20 of a-z 0-9 . _ -`
        : `${wanted.email} is not an email address.`,
    )
  }
  const password = temporaryPassword()
  const hash = await passwords.hash(password)
  try {
    return await db.transaction().execute(async (tx) => {
      const id = await insertAdmin(tx, { ...read.data, hash, isTemporary: true }, keySecret)
      await saveTemporaryPassword(tx, id, read.data.userId, hash)
      await record(tx, 'user.register', { id, loginId: read.data.userId })
      return password
    })
  } catch (error) {
    if (error instanceof Refusal) throw new StartRefusal(en.errors[error.code], { cause: error })
    throw error
  }
}

/** Writes the audit row of an operator command about an account, with the reason 'npm run admin'. */
function record(tx: Tx, action: OperatorAction, { id, loginId }: { id: string; loginId: string }) {
  return recordAudit(tx, {
    ...BY_OPERATOR,
    action,
    target: loginId,
    detail: { reason: 'npm run admin' },
    records: [`user/${id}`],
  })
}
