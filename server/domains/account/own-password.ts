import { type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { networkOf } from '../../http/address.ts'
import { tryPassword } from './login-tries.ts'
import { knownFrom } from './queries.ts'

/**
 * Makes sure that the actor knows their own password (rules/users#manager-password), before anything is looked up for
 * them: somebody who only has the session learns nothing.
 * @returns the hash that it was compared with, for `holdPassword` and `savePassword`
 * @throws {Refusal} PASSWORD_WRONG, LOGIN_LOCKED: counted with the wrong passwords of logins (rules/account#login-lock)
 */
export async function provePassword(
  { db, actor, services, address }: Pick<Call, 'db' | 'services' | 'address'> & { actor: SignedIn },
  password: string,
): Promise<string> {
  const network = networkOf(address)
  const { password_hash: hash, known_here: isKnown } = await db
    .selectFrom('users')
    .select(['password_hash', knownFrom(network).as('known_here')])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  const from = { knownFrom: isKnown ? network : undefined }
  const isRight = await tryPassword(db, actor.userId, () => services.passwords.verify(hash, password), from)
  if (!isRight) refuse('PASSWORD_WRONG')
  return hash
}

/**
 * Holds the account whose password was compared, so that what ends its sessions waits or comes first.
 * @throws {Refusal} PASSWORD_WRONG when it was changed or reset since then
 */
export async function holdPassword(tx: Transaction<Database>, id: string, provenHash: string): Promise<void> {
  const row = await tx
    .selectFrom('users')
    .select(sql`1`.as('one'))
    .where('id', '=', id)
    .where('password_hash', '=', provenHash)
    .forShare()
    .executeTakeFirst()
  if (row === undefined) refuse('PASSWORD_WRONG')
}
