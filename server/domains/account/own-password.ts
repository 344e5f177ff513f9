import { type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { networkOf } from '../../http/address.ts'
import { tellDisabled } from './login-locks.ts'
import { tryPassword } from './login-tries.ts'
import { knownFrom } from './queries.ts'

type Comparing = Pick<Call, 'db' | 'services' | 'address' | 'language'> & { actor: SignedIn }

/**
 * Proves the caller of a call whose `confirmed` is `password`: by the password that it carries, and by the second factor of a user who
 * has one (rules/account#confirmation).
 * @returns as `comparePassword`
 * @throws {Refusal} CONFIRMATION_REQUIRED, and as `comparePassword`
 */
export async function provePassword(
  call: Comparing & Pick<Call, 'requireConfirmation'>,
  password: string,
): Promise<string> {
  call.requireConfirmation('password')
  return comparePassword(call, password)
}

/**
 * Makes sure that the actor knows their own password (rules/users#manager-password), before anything is looked up for
 * them: somebody who only has the session learns nothing.
 * @returns the hash that it was compared with, for `holdPassword` and `savePassword`
 * @throws {Refusal} PASSWORD_WRONG, LOGIN_LOCKED, PASSWORD_DISABLED: counted with the wrong passwords of logins (rules/account#login-lock)
 */
export async function comparePassword(call: Comparing, password: string): Promise<string> {
  const { db, actor, services, address } = call
  const network = networkOf(address)
  const { password_hash: hash, known_here: isKnown } = await db
    .selectFrom('users')
    .select(['password_hash', knownFrom(network).as('known_here')])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  const isRight = await tryPassword(db, actor.userId, () => services.passwords.verify(hash, password), {
    knownFrom: isKnown ? network : undefined,
    async onWrong({ isLastOfAll }) {
      if (isLastOfAll) await tellDisabled(call, actor.userId)
    },
  })
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
