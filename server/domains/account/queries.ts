import { type Kysely, type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { EXPIRED, NOT_YET_VALID } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'

/** How many of the last passwords may not come again, the present one included (decisions §4). */
const REMEMBERED_PASSWORDS = 3

/** What a login needs to know of an account, withdrawn ones included. */
export async function findAccount(db: Kysely<Database>, loginId: string) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'login_id',
      'password_hash',
      'password_temporary',
      'approval_code',
      'withdrawn_at',
      sql.raw<boolean>(NOT_YET_VALID).as('not_yet_valid'),
      sql.raw<boolean>(EXPIRED).as('expired'),
    ])
    .where('login_id', '=', loginId)
    .executeTakeFirst()
}

/** The signed-in person's own hash and what the own password must not contain. */
export async function findOwnPassword(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('users')
    .select(['login_id', 'password_hash', 'phone_number', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Whether an ID belongs to somebody; withdrawn accounts keep theirs (decisions §5). */
export async function isLoginIdTaken(db: Kysely<Database>, loginId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('login_id', '=', loginId).executeTakeFirst()
  return row !== undefined
}

/** The hashes of the last passwords, newest first. */
export async function findLastPasswords(db: Kysely<Database>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('password_history')
    .select('password_hash')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(REMEMBERED_PASSWORDS)
    .execute()
  return rows.map((row) => row.password_hash)
}

/**
 * Makes a password the account's own choice, and remembers it.
 * @param provenHash what the present password was compared with
 * @throws {Refusal} PASSWORD_WRONG when it was changed or reset since then
 */
export async function savePassword(
  tx: Transaction<Database>,
  userId: string,
  provenHash: string,
  hash: string,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: hash, password_temporary: false, updated_at: sql`now()` })
    .where('id', '=', userId)
    .where('password_hash', '=', provenHash)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) refuse('PASSWORD_WRONG')
  await tx.insertInto('password_history').values({ user_id: userId, password_hash: hash }).execute()
  await tx
    .deleteFrom('password_history')
    .where('user_id', '=', userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('password_history')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(REMEMBERED_PASSWORDS),
    )
    .execute()
}

/**
 * Notes when somebody logged in.
 * @param hash of the password that was compared
 * @returns false when it is the account's password no more: its change has just ended every session
 */
export async function saveLogin(tx: Transaction<Database>, userId: string, hash: string): Promise<boolean> {
  const saved = await tx
    .updateTable('users')
    .set({ last_login_at: sql`now()` })
    .where('id', '=', userId)
    .where('password_hash', '=', hash)
    .returning('id')
    .executeTakeFirst()
  return saved !== undefined
}

/** Opens the own record for the next 10 minutes of this session (decisions §4). */
export async function savePasswordCheck(tx: Transaction<Database>, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ password_checked_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}
