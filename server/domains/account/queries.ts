import { type Insertable, type Kysely, type Transaction, type UpdateObject, sql } from 'kysely'
import { FACTOR_HOLD_DAYS } from '../../../contract/account.ts'
import type pg from 'pg'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { can, type FunctionName, ROLE } from '../../../contract/permissions.ts'
import { RESTORE_DAYS } from '../../../contract/users.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import { prepareQuery } from '../../db/prepared-statements.ts'
import { today } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { owesPrivacy, type SignedIn } from '../../callers/sessions.ts'
import { findErasedIds, refuseErasedIds } from './erased-ids.ts'
import type { SealKeys } from '../../services/encryption.ts'
import { hasSettledFactor, isHeld, isPasswordOwn } from './factors.ts'
import { clearableAttempts } from './login-attempts.ts'

/**
 * Number of latest passwords that must not be chosen again, including the current one (rules/account#password-rules).
 */
const REMEMBERED_PASSWORDS = 3

/** SQL expression for the expiry of a temporary password: 24 hours from now (rules/account#temporary-password). */
const TEMPORARY_FOR = sql<Date>`now() + interval '24 hours'`

/** SQL expression for FACTOR_HOLD_DAYS as an interval. */
const HOLD = sql`make_interval(days => ${sql.lit(FACTOR_HOLD_DAYS)})`

/**
 * The columns of a password that its owner has chosen. A reset of the second factors lets it stay valid
 * (rules/users#hold-after-reset): from now on if the owner has a factor that is at least FACTOR_HOLD_DAYS old, or else
 * from FACTOR_HOLD_DAYS later. Otherwise a thief of the password could set up a factor and keep the password through
 * the reset.
 */
const OWN_CHOICE = {
  passwordTemporary: false,
  temporaryUntil: null,
  passwordOwnFrom: sql<Date>`now() + case when ${hasSettledFactor(sql`users.id`)} then interval '0' else ${HOLD} end`,
} as const

/** SQL condition that the user of the row `users` has not accepted the latest privacy notice. */
const OWES_PRIVACY = owesPrivacy('users.id')

/** Returns the SQL condition that the user of the row `users` has logged in from a network before. */
export const knownFrom = (network: string) => sql<boolean>`exists (
  select from login_networks n where n.user_id = users.id and n.network = ${network})`

/**
 * Returns the fields of an account that a login needs, also of a withdrawn one. `refusal` is the error code if it may
 * not log in (null if it may), `functions` are the permissions of its role, and `knownHere` is true if it has logged in
 * from this network before.
 * @param network the network of the login (`networkOf`)
 * @returns undefined if no account has this ID, or its data was erased
 */
export async function findAccount(db: Kysely<Database>, loginId: string, network: string) {
  const query = db
    .selectFrom('users')
    .select([
      'id',
      'loginId',
      'passwordHash',
      'passwordTemporary',
      sql<ErrorCode | null>`coalesce(login_refusal(users),
        case when password_temporary and temporary_until < now() then 'TEMPORARY_PASSWORD_ENDED' end)`.as(
        'refusal',
      ),
      sql<boolean>`coalesce(factor_day(users) < ${today}, false)`.as('mustSetUpFactor'),
      sql<boolean>`${sql.raw(OWES_PRIVACY)}`.as('mustAcceptPrivacy'),
      knownFrom(network).as('knownHere'),
      sql<boolean>`has_second_factor(users.id)`.as('hasSecondFactor'),
      sql<boolean>`last_login_at is not null`.as('hasLoggedIn'),
      sql<boolean>`sso_enforced(users)`.as('isSsoEnforced'),
      sql<boolean>`break_glass and role_code = ${sql.lit(ROLE.admin)}`.as('isEmergencyAccount'),
      sql<FunctionName[]>`array(
        select f.function_name from role_functions f where f.role_code = users.role_code
      )`.as('functions'),
    ])
    .where('loginId', '=', loginId)
    .where('erasedAt', 'is', null)
  return (await db.executeQuery(prepareQuery(query))).rows[0]
}

/** Account as `findAccount` returns it. */
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/**
 * Returns what a user's new password must not contain (phone number and email), the hashes of the latest passwords,
 * which it must not equal, and the language of the user.
 */
export async function findForNewPassword(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('users')
    .select([
      'phoneNumber',
      'email',
      'language',
      sql<string[]>`array(
        select h.password_hash from password_history h where h.user_id = users.id
        order by h.id desc limit ${sql.lit(REMEMBERED_PASSWORDS)}
      )`.as('lastPasswords'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/**
 * Returns whether an ID belongs or belonged to a user. Withdrawn and erased accounts keep theirs
 * (rules/account#id-check).
 * @param actor the caller: a previous ID is available again to its owner, and to administrators of users
 */
export async function isLoginIdTaken(
  db: Kysely<Database>,
  loginId: string,
  actor: SignedIn | null,
  keys: SealKeys,
): Promise<boolean> {
  const owner = await db
    .selectFrom('loginIds as i')
    .innerJoin('users as u', 'u.id', 'i.userId')
    .select(['u.id', 'u.loginId'])
    .where('i.loginId', '=', loginId)
    .executeTakeFirst()
  if (owner === undefined) return (await findErasedIds(db, keys, [loginId])).length > 0
  const mayReturn = actor !== null && (actor.id === owner.id || can(actor, 'autho_user_manage'))
  return owner.loginId === loginId || !mayReturn
}

/**
 * Saves a password that the user chose and adds it to the history. Clears the counts of wrong passwords and second
 * factors, the email links and the other known networks, and ends the program tokens that may do more than issue keys.
 * If the previous password was not the user's own (`isPasswordOwn`), also deletes the single sign-on links. Ends no
 * sessions.
 * @param provenHash hash that the current password was compared with
 * @param network network of the user, which stays known
 * @throws {Refusal} PASSWORD_WRONG if the password was changed or reset since it was compared
 */
export async function savePassword(
  tx: Transaction<Database>,
  userId: string,
  { provenHash, hash, network }: { provenHash: string; hash: string; network: string },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .with('forgiven', (db) =>
      db
        .deleteFrom('loginFailures')
        .where('loginId', '=', (eb) => eb.selectFrom('users').select('loginId').where('id', '=', userId)),
    )
    // Users who have a second factor gave it for this call.
    .with('uncounted', (db) => db.deleteFrom('factorFailures').where('userId', '=', userId))
    // The user who set the previous password may have linked their own login.
    .with('unlinked', (db) =>
      db
        .deleteFrom('identities as i')
        .using('users as u')
        .whereRef('u.id', '=', 'i.userId')
        .where('u.id', '=', userId)
        .where((eb) => eb.not(isPasswordOwn('u'))),
    )
    .updateTable('users')
    .set({ ...OWN_CHOICE, passwordHash: hash, updatedAt: sql`now()` })
    .where('id', '=', userId)
    .where('passwordHash', '=', provenHash)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) refuse('PASSWORD_WRONG')
  await endWithPassword(tx, userId, network)
  await tx.insertInto('passwordHistory').values({ userId, passwordHash: hash }).execute()
  await tx
    .deleteFrom('passwordHistory')
    .where('userId', '=', userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('passwordHistory')
        .select('id')
        .where('userId', '=', userId)
        .orderBy('id', 'desc')
        .limit(REMEMBERED_PASSWORDS),
    )
    .execute()
}

/**
 * Stores the time, network and language of a login, and clears the counts of wrong passwords (`clearableAttempts`) if
 * it was by password. Locks the account's row, so that a password change ends the session of this login, too.
 * @throws {Refusal} LOGIN_FAILED if the password was changed or reset since `findAccount`
 */
export async function saveLogin(
  tx: Transaction<Database>,
  { id, loginId, passwordHash: provenHash, knownHere: isKnown }: Account,
  { language, network, isByPassword }: { language: Language; network: string; isByPassword: boolean },
): Promise<void> {
  const query = tx
    .with('forgiven', (db) =>
      db
        .deleteFrom('loginFailures')
        .where(clearableAttempts(loginId, isKnown ? network : undefined))
        .where(sql<boolean>`${isByPassword}`),
    )
    .with('seen', (db) =>
      db
        .insertInto('loginNetworks')
        .values({ userId: id, network })
        .onConflict((conflict) =>
          conflict
            .columns(['userId', 'network'])
            .doUpdateSet({ lastLoginAt: sql`now()` })
            .where('loginNetworks.lastLoginAt', '<', sql<Date>`now() - interval '1 day'`),
        ),
    )
    .updateTable('users')
    .set({ lastLoginAt: sql`now()`, language })
    .where('id', '=', id)
    .where('passwordHash', '=', provenHash)
  const { numAffectedRows } = await tx.executeQuery(prepareQuery(query))
  if (numAffectedRows === 0n) refuse('LOGIN_FAILED')
}

/** Deletes known networks without a login for 180 days. */
export async function removeOldNetworks(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from login_networks where last_login_at < now() - interval '180 days'`)
}

/**
 * Returns the account that has an email and is not withdrawn. There is at most one (rules/users#e-mail).
 * @param network network of the caller, for `knownHere`; '' if it does not matter
 * @returns undefined if there is none
 */
export async function findUserByEmail(db: Kysely<Database>, email: string, network = '') {
  return db
    .selectFrom('users')
    .select([
      'id',
      'loginId',
      'name',
      'language',
      'suspendedFor',
      isHeld('users').as('isHeld'),
      knownFrom(network).as('knownHere'),
    ])
    .where('email', '=', email)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst()
}

/**
 * SQL condition that an account reserves its email: it is active, or withdrawn and can be restored
 * (rules/users#e-mail).
 */
export const reservesEmail = sql<boolean>`(withdrawn_at is null or withdrawn_at > now() - make_interval(days => ${sql.lit(RESTORE_DAYS)}))`

/**
 * Returns the account that reserves an email, the active one first.
 * @returns undefined if the email is free
 */
export async function findEmailHolder(db: Kysely<Database>, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'loginId', 'language'])
    .where('email', '=', email)
    .where(reservesEmail)
    .orderBy('withdrawnAt', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
}

/** Errors for violated constraints of accounts. A call with another meaning of a constraint passes its own error. */
export const ACCOUNT_CONSTRAINTS = {
  users_login_id_key: 'USER_ID_TAKEN',
  users_email_active: 'EMAIL_TAKEN',
  users_employee_number: 'EMPLOYEE_NUMBER_TAKEN',
} as const satisfies Record<string, ErrorCode>

/**
 * Creates an account, adds its password to the history, and clears earlier wrong passwords under its ID.
 * @param emailTaken error if the email is in use, for calls that must not reveal this
 * @returns users.id
 * @throws {Refusal} USER_ID_TAKEN, also for the ID of an erased user; EMPLOYEE_NUMBER_TAKEN; `emailTaken`
 */
export async function insertAccount(
  tx: Transaction<Database>,
  account: Insertable<Database['users']>,
  keys: SealKeys,
  emailTaken: ErrorCode = ACCOUNT_CONSTRAINTS.users_email_active,
): Promise<string> {
  return mapConstraintErrors({ ...ACCOUNT_CONSTRAINTS, users_email_active: emailTaken }, async () => {
    const { id } = await tx
      .with('account', (db) => db.insertInto('users').values(account).returning(['id', 'passwordHash']))
      .with('remembered', (db) =>
        db
          .insertInto('passwordHistory')
          .columns(['userId', 'passwordHash'])
          .expression((eb) => eb.selectFrom('account').select(['id', 'passwordHash'])),
      )
      // Earlier failures under the ID were not made by its new owner.
      .with('forgiven', (db) => db.deleteFrom('loginFailures').where('loginId', '=', account.loginId))
      .selectFrom('account')
      .select('id')
      .executeTakeFirstOrThrow()
    await refuseErasedIds(tx, keys, [account.loginId])
    return id
  })
}

/**
 * Creates the approval request of an applicant, in the transaction that creates the account
 * (design/accounts#approval-requests). Sends no notification.
 */
export async function openRequest(
  tx: Transaction<Database>,
  applicant: { id: string; loginId: string; name: string; email: string; affiliationCode: string },
): Promise<void> {
  const { id, loginId, name, email, affiliationCode } = applicant
  await tx
    .insertInto('approvalRequests')
    .values({ userId: id, loginId, name, email, affiliationCode })
    .execute()
}

/**
 * Deletes the email links of an account and its known networks, and ends the program tokens that may do more than issue keys, because
 * a thief may own one.
 * @param network network where the user set the new password, which stays known; '' to delete all
 */
async function endWithPassword(tx: Transaction<Database>, userId: string, network = ''): Promise<void> {
  await tx
    .with('links', (db) => db.deleteFrom('accountLinks').where('userId', '=', userId))
    .with('tokens', (db) =>
      db
        .updateTable('programTokens')
        .set({ endedAt: sql`now()`, endReason: 'account' })
        .where('userId', '=', userId)
        .where('endedAt', 'is', null)
        .where(sql<boolean>`not scopes <@ '{keys:issue}'`),
    )
    .deleteFrom('loginNetworks')
    .where('userId', '=', userId)
    .where('network', '<>', network)
    .execute()
}

/**
 * Replaces a password. Ends the lock of wrong passwords, the email links, the known networks and the single sign-on
 * links. Unlike `savePassword`, it ends no program tokens.
 */
async function replacePassword(
  tx: Transaction<Database>,
  userId: string,
  loginId: string,
  columns: UpdateObject<Database, 'users'>,
): Promise<void> {
  await tx
    .with('links', (db) => db.deleteFrom('accountLinks').where('userId', '=', userId))
    .with('networks', (db) => db.deleteFrom('loginNetworks').where('userId', '=', userId))
    // A thief of the previous password may have linked their own.
    .with('identities', (db) => db.deleteFrom('identities').where('userId', '=', userId))
    .with('unlocked', (db) => db.deleteFrom('loginFailures').where('loginId', '=', loginId))
    .updateTable('users')
    .set({ ...columns, updatedAt: sql`now()` })
    .where('id', '=', userId)
    .execute()
}

/**
 * Replaces the password of an account by a temporary one, which the owner must change within 24 hours, as
 * `replacePassword` does. The caller mails it and ends the sessions.
 */
export async function saveTemporaryPassword(
  tx: Transaction<Database>,
  userId: string,
  loginId: string,
  passwordHash: string,
): Promise<void> {
  const temporary = { passwordTemporary: true, temporaryUntil: TEMPORARY_FOR, passwordOwnFrom: null }
  await replacePassword(tx, userId, loginId, { ...temporary, passwordHash })
}

/**
 * Saves the first password that the owner of an account chose by an email link, as `replacePassword` does, and adds it
 * to the history. The caller ends the sessions.
 */
export async function saveFirstPassword(
  tx: Transaction<Database>,
  userId: string,
  loginId: string,
  passwordHash: string,
): Promise<void> {
  // The link proves access to a mailbox, and no second factor.
  const passwordOwnFrom = sql<Date>`now() + ${HOLD}`
  await replacePassword(tx, userId, loginId, { ...OWN_CHOICE, passwordOwnFrom, passwordHash })
  await tx.insertInto('passwordHistory').values({ userId, passwordHash }).execute()
}
