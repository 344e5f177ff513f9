import { type Insertable, type Kysely, type Transaction, sql } from 'kysely'
import { FACTOR_HOLD_DAYS } from '../../../contract/account.ts'
import type pg from 'pg'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { can, type FunctionName } from '../../../contract/permissions.ts'
import { RESTORE_DAYS } from '../../../contract/users.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import { prepareQuery } from '../../db/prepared-statements.ts'
import { today } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { findErasedIds, refuseErasedIds } from '../../services/erased-ids.ts'
import type { SealKeys } from '../../services/sealed.ts'
import { hasSettledFactor, isHeld } from './factors.ts'
import { clearableAttempts } from './login-attempts.ts'

/** Number of latest passwords that must not be chosen again, with the present one (rules/account#password-rules). */
const REMEMBERED_PASSWORDS = 3

/** Expiry of a temporary password that is mailed to a user (rules/account#temporary-password). */
const TEMPORARY_FOR = sql<Date>`now() + interval '24 hours'`

const HOLD = sql`make_interval(days => ${sql.lit(FACTOR_HOLD_DAYS)})`

/**
 * The columns of a password that its owner has chosen. A reset keeps it (rules/users#hold-after-reset): immediately if the owner has an old
 * second factor and gave one for this call (rules/account#confirmation), or else after some days. A thief of the password could set up a
 * new factor first.
 */
const OWN_CHOICE = {
  password_temporary: false,
  temporary_until: null,
  password_own_from: sql<Date>`now() + case when ${hasSettledFactor(sql`users.id`)} then interval '0' else ${HOLD} end`,
} as const

/** Returns the condition that a row of `users` has logged in from a network before. */
export const knownFrom = (network: string) => sql<boolean>`exists (
  select from login_networks n where n.user_id = users.id and n.network = ${network})`

/**
 * Returns the fields of an account that a login needs, also of a withdrawn one. `refusal` is the error if it may not log in.
 * @param network the network of the login (`networkOf`)
 */
export async function findAccount(db: Kysely<Database>, loginId: string, network: string) {
  const query = db
    .selectFrom('users')
    .select([
      'id',
      'login_id',
      'password_hash',
      'password_temporary',
      sql<ErrorCode | null>`coalesce(login_refusal(users),
        case when password_temporary and temporary_until < now() then 'TEMPORARY_PASSWORD_ENDED' end)`.as(
        'refusal',
      ),
      sql<boolean>`coalesce(factor_day(users) < ${today}, false)`.as('must_set_up_factor'),
      knownFrom(network).as('known_here'),
      sql<boolean>`has_second_factor(users.id)`.as('has_second_factor'),
      sql<boolean>`last_login_at is not null`.as('has_logged_in'),
      sql<FunctionName[]>`array(
        select f.function_name from role_functions f where f.role_code = users.role_code
      )`.as('functions'),
    ])
    .where('login_id', '=', loginId)
    .where('erased_at', 'is', null)
  return (await db.executeQuery(prepareQuery(query))).rows[0]
}

/** An account as `findAccount` returns it. */
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/** Returns the values that a user's new password must not contain, and the hashes of the latest passwords, which it must not equal. */
export async function findForNewPassword(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('users')
    .select([
      'phone_number',
      'email',
      'language',
      sql<string[]>`array(
        select h.password_hash from password_history h where h.user_id = users.id
        order by h.id desc limit ${sql.lit(REMEMBERED_PASSWORDS)}
      )`.as('last_passwords'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/**
 * Returns whether an ID belongs or belonged to a user. Withdrawn accounts keep theirs (rules/account#id-check).
 * @param actor the caller: a previous ID is available again to its owner, and to administrators of users
 */
export async function isLoginIdTaken(
  db: Kysely<Database>,
  loginId: string,
  actor: SignedIn | null,
  keys: SealKeys,
): Promise<boolean> {
  const owner = await db
    .selectFrom('login_ids as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.login_id'])
    .where('i.login_id', '=', loginId)
    .executeTakeFirst()
  if (owner === undefined) return (await findErasedIds(db, keys, [loginId])).length > 0
  const mayReturn = actor !== null && (actor.id === owner.id || can(actor, 'autho_user_manage'))
  return owner.login_id === loginId || !mayReturn
}

/**
 * Saves a password that the user chose, adds it to the history, and clears the attempts at the previous one.
 * @param change the hash that the present password was compared with, the hash of the new one, and the network of the user
 * @throws {Refusal} PASSWORD_WRONG if it was changed or reset since then
 */
export async function savePassword(
  tx: Transaction<Database>,
  userId: string,
  { provenHash, hash, network }: { provenHash: string; hash: string; network: string },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .with('forgiven', (db) =>
      db
        .deleteFrom('login_failures')
        .where('login_id', '=', (eb) => eb.selectFrom('users').select('login_id').where('id', '=', userId)),
    )
    // Users who have a second factor gave it for this call.
    .with('uncounted', (db) => db.deleteFrom('factor_failures').where('user_id', '=', userId))
    .updateTable('users')
    .set({ ...OWN_CHOICE, password_hash: hash, updated_at: sql`now()` })
    .where('id', '=', userId)
    .where('password_hash', '=', provenHash)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) refuse('PASSWORD_WRONG')
  await endWithPassword(tx, userId, network)
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
 * Records the time, network and language of a login, and clears the wrong passwords before. Locks the account's row, so that a password
 * change ends the session of this login, too.
 * @param provenHash hash that the password was compared with
 * @throws {Refusal} LOGIN_FAILED if it was changed or reset since then
 */
export async function saveLogin(
  tx: Transaction<Database>,
  { id, login_id: loginId, password_hash: provenHash, known_here: isKnown }: Account,
  language: Language,
  network: string,
): Promise<void> {
  const query = tx
    .with('forgiven', (db) =>
      db.deleteFrom('login_failures').where(clearableAttempts(loginId, isKnown ? network : undefined)),
    )
    .with('seen', (db) =>
      db
        .insertInto('login_networks')
        .values({ user_id: id, network })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'network'])
            .doUpdateSet({ last_login_at: sql`now()` })
            .where('login_networks.last_login_at', '<', sql<Date>`now() - interval '1 day'`),
        ),
    )
    .updateTable('users')
    .set({ last_login_at: sql`now()`, language })
    .where('id', '=', id)
    .where('password_hash', '=', provenHash)
  const { numAffectedRows } = await tx.executeQuery(prepareQuery(query))
  if (numAffectedRows === 0n) refuse('LOGIN_FAILED')
}

/** Deletes known networks without a login for 180 days. */
export async function removeOldNetworks(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from login_networks where last_login_at < now() - interval '180 days'`)
}

/** Returns the active account of an email. There is at most one (rules/users#e-mail). */
export async function findUserByEmail(db: Kysely<Database>, email: string, network = '') {
  return db
    .selectFrom('users')
    .select([
      'id',
      'login_id',
      'language',
      'suspended_for',
      isHeld('users').as('is_held'),
      knownFrom(network).as('known_here'),
    ])
    .where('email', '=', email)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
}

/** Selects the accounts that reserve their e-mail: active ones, and withdrawn ones that can be restored (rules/users#e-mail). */
export const reservesEmail = sql<boolean>`(withdrawn_at is null or withdrawn_at > now() - make_interval(days => ${sql.lit(RESTORE_DAYS)}))`

/** Returns the account that reserves an e-mail, the active one first. */
export async function findEmailHolder(db: Kysely<Database>, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'login_id', 'language'])
    .where('email', '=', email)
    .where(reservesEmail)
    .orderBy('withdrawn_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
}

/** Errors for violated constraints of accounts. A call with another meaning of a constraint passes its own error. */
export const ACCOUNT_CONSTRAINTS = {
  users_login_id_key: 'USER_ID_TAKEN',
  users_email_active: 'EMAIL_TAKEN',
} as const satisfies Record<string, ErrorCode>

/**
 * Writes an account and adds its password to the history.
 * @param emailTaken error if the email is in use, for calls that must not reveal this
 * @returns users.id
 * @throws {Refusal} USER_ID_TAKEN, `emailTaken`
 */
export async function insertAccount(
  tx: Transaction<Database>,
  account: Insertable<Database['users']>,
  keys: SealKeys,
  emailTaken: ErrorCode = ACCOUNT_CONSTRAINTS.users_email_active,
): Promise<string> {
  return mapConstraintErrors({ ...ACCOUNT_CONSTRAINTS, users_email_active: emailTaken }, async () => {
    const { id } = await tx
      .with('account', (db) => db.insertInto('users').values(account).returning(['id', 'password_hash']))
      .with('remembered', (db) =>
        db
          .insertInto('password_history')
          .columns(['user_id', 'password_hash'])
          .expression((eb) => eb.selectFrom('account').select(['id', 'password_hash'])),
      )
      // Earlier failures under the ID were not made by its new owner.
      .with('forgiven', (db) => db.deleteFrom('login_failures').where('login_id', '=', account.login_id))
      .selectFrom('account')
      .select('id')
      .executeTakeFirstOrThrow()
    await refuseErasedIds(tx, keys, [account.login_id])
    return id
  })
}

/** Opens the approval request of an applicant, in the transaction that creates the account (design/accounts#approval-requests). */
export async function openRequest(
  tx: Transaction<Database>,
  applicant: { id: string; login_id: string; name: string; email: string; affiliation_code: string },
): Promise<void> {
  const { id, login_id, name, email, affiliation_code } = applicant
  await tx
    .insertInto('approval_requests')
    .values({ user_id: id, login_id, name, email, affiliation_code })
    .execute()
}

/**
 * Deletes the email links of the account, and the networks that earlier logins made known. One of them may be that of a thief.
 * @param network network where the user set the new password, which stays known
 */
async function endWithPassword(tx: Transaction<Database>, userId: string, network = ''): Promise<void> {
  await tx
    .with('links', (db) => db.deleteFrom('account_links').where('user_id', '=', userId))
    .deleteFrom('login_networks')
    .where('user_id', '=', userId)
    .where('network', '<>', network)
    .execute()
}

/** Gives the account a password that must be changed. Ends the lock of wrong passwords and the email links. */
export async function saveTemporaryPassword(
  tx: Transaction<Database>,
  userId: string,
  loginId: string,
  hash: string,
): Promise<void> {
  await endWithPassword(tx, userId)
  await tx
    .with('unlocked', (db) => db.deleteFrom('login_failures').where('login_id', '=', loginId))
    .updateTable('users')
    .set({
      password_hash: hash,
      password_temporary: true,
      temporary_until: TEMPORARY_FOR,
      password_own_from: null,
      updated_at: sql`now()`,
    })
    .where('id', '=', userId)
    .execute()
}

/** Saves the first password that the owner chose for an account that was created for them. */
export async function saveFirstPassword(
  tx: Transaction<Database>,
  userId: string,
  loginId: string,
  hash: string,
): Promise<void> {
  await endWithPassword(tx, userId)
  await tx
    .with('unlocked', (db) => db.deleteFrom('login_failures').where('login_id', '=', loginId))
    .with('remembered', (db) =>
      db.insertInto('password_history').values({ user_id: userId, password_hash: hash }),
    )
    .updateTable('users')
    // The link proves access to a mailbox, and no second factor.
    .set({
      ...OWN_CHOICE,
      password_own_from: sql`now() + ${HOLD}`,
      password_hash: hash,
      updated_at: sql`now()`,
    })
    .where('id', '=', userId)
    .execute()
}
