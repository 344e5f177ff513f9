import { type RawBuilder, sql } from 'kysely'
import { FACTOR, FACTOR_HOLD_DAYS, type Factor } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { KeySecret } from '../../services/key-secret.ts'
import { seal, type SealKeys, reencrypt, unseal } from '../../services/encryption.ts'
import { forgetFactorTries } from './factor-tries.ts'
import { codesLeft, hashOfCode, findTimeStep } from './factor-codes.ts'

/**
 * Correct second factor (app code, recovery code or passkey) that is not used up yet. The login or reauthentication
 * calls `use` in its transaction.
 */
export interface Proof {
  /** Marks the proof as used, so that it counts once. @returns false if it was used since it was checked */
  use(tx: Tx): Promise<boolean>
  /** When the factor was set up; null for a recovery code, because it is on paper. */
  madeAt: Date | null
  /** Name of the passkey, if the passkey may have been copied. The caller must refuse the proof then. */
  clonedKey?: string
}

/** App secrets that one statement encrypts again when a server starts. */
const RENEWED_AT_ONCE = 1000

/** Encryption keys, and the fingerprint that marks what the first key has encrypted. */
type MarkedKeys = SealKeys & Pick<KeySecret, 'fingerprint'>

/** Returns the purpose to which the encryption binds a user's app secret, so that no other row can use it. */
const aboutTotp = (userId: string) => `totp ${userId}`

/**
 * Stores the secret of a user's app, encrypted. Replaces an earlier one.
 * @param step time step of the code that confirmed the app, which is not accepted again
 */
export async function saveTotp(
  tx: Tx,
  keys: MarkedKeys,
  { userId, secret, step }: { userId: string; secret: string; step: number },
): Promise<void> {
  const sealed = seal(keys, secret, aboutTotp(userId))
  const values = { sealed, sealedBy: keys.fingerprint, lastStep: String(step), lastUsedAt: null }
  await tx
    .insertInto('totpSecrets')
    .values({ userId, ...values })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ ...values, createdAt: sql<Date>`now()` }),
    )
    .execute()
}

/**
 * Checks a code of an authenticator app, or a recovery code, and returns its proof. Does not use it up, and counts no
 * attempt.
 * @param proof the code as the user entered it
 * @returns null if the code is wrong or was used, or if the user has no factor of this kind
 */
export async function findCodeProof(
  db: Db,
  keys: SealKeys,
  userId: string,
  { factor, proof }: { factor: Exclude<Factor, 'PASSKEY'>; proof: string },
  now: Date,
): Promise<Proof | null> {
  return factor === FACTOR.totp ? totpProof(db, keys, userId, proof, now) : codeProof(db, userId, proof)
}

/** Returns the proof by a code of the user's app, as `findCodeProof`. The code of one time step proves only once. */
async function totpProof(db: Db, keys: SealKeys, userId: string, typed: string, now: Date) {
  const row = await db
    .selectFrom('totpSecrets')
    .select(['sealed', 'lastStep', 'createdAt'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  const secret = row && unseal(keys, row.sealed, aboutTotp(userId))
  if (row === undefined || !secret) return null
  const step = findTimeStep(secret, typed.replaceAll(/\s/g, ''), now)
  if (step === null || step <= Number(row.lastStep)) return null
  return {
    madeAt: row.createdAt,
    async use(tx: Tx) {
      const { numUpdatedRows } = await tx
        .updateTable('totpSecrets')
        .set({ lastStep: String(step), lastUsedAt: sql`now()` })
        .where('userId', '=', userId)
        .where('sealed', '=', row.sealed)
        .where('lastStep', '<', String(step))
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  }
}

/** Returns the proof by an unused recovery code of the user, as `findCodeProof`. */
async function codeProof(db: Db, userId: string, typed: string): Promise<Proof | null> {
  const hash = hashOfCode(typed)
  const row = await db
    .selectFrom('recoveryCodes')
    .select('usedAt')
    .where('userId', '=', userId)
    .where('codeHash', '=', hash)
    .executeTakeFirst()
  if (row === undefined || row.usedAt !== null) return null
  return {
    madeAt: null,
    async use(tx) {
      const { numUpdatedRows } = await tx
        .updateTable('recoveryCodes')
        .set({ usedAt: sql`now()` })
        .where('userId', '=', userId)
        .where('codeHash', '=', hash)
        .where('usedAt', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  }
}

/** User whose second factors change, in the state before the change. */
export interface FactorOwner {
  loginId: string
  email: string
  language: Language
  /** True if the user has an authenticator app or a passkey. */
  hasFactor: boolean
  /** Number of unused recovery codes. */
  codesLeft: number
}

/**
 * Locks the account of a user whose second factors change, until the transaction ends.
 * @returns login ID, email and language, whether the user has a second factor, and the number of unused recovery codes,
 * all before the change
 */
export function lockFactors(tx: Tx, userId: string): Promise<FactorOwner> {
  return tx
    .selectFrom('users')
    .select([
      'loginId',
      'email',
      'language',
      sql<boolean>`has_second_factor(id)`.as('hasFactor'),
      codesLeft(userId).as('codesLeft'),
    ])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * Deletes the recovery codes if the user has removed their last second factor: the codes alone are no second factor.
 * @throws {Refusal} FACTOR_NEEDED if it was the last factor of a user who must have one (rules/account#required-factor)
 */
export async function removeIdleCodes(tx: Tx, userId: string): Promise<void> {
  const { isNeeded } = await tx
    .with('gone', (db) =>
      db
        .deleteFrom('recoveryCodes')
        .where('userId', '=', userId)
        .where(sql<boolean>`not has_second_factor(user_id)`),
    )
    .selectFrom('users')
    .select(sql<boolean>`factor_day(users) is not null`.as('isNeeded'))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (isNeeded) refuse('FACTOR_NEEDED')
}

/**
 * Removes the app, passkeys and recovery codes of an account, and the counts of wrong ones, at the request of others
 * (rules/users#hold-after-reset). If there was an app or a passkey, also deletes the email links, starts the hold
 * (`isHeld`), and ends a password that does not fulfill `isPasswordOwn`. Sends no mail.
 * @returns whether there was an app or a passkey
 */
export async function removeFactors(tx: Tx, userId: string): Promise<boolean> {
  const app = await tx.deleteFrom('totpSecrets').where('userId', '=', userId).executeTakeFirstOrThrow()
  const keys = await tx.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirstOrThrow()
  // A setup that was begun before must not add a factor later.
  await tx
    .with('codes', (db) => db.deleteFrom('recoveryCodes').where('userId', '=', userId))
    .deleteFrom('passkeyEnrolments')
    .where('userId', '=', userId)
    .execute()
  await forgetFactorTries(tx, userId)
  const isRemoved = app.numDeletedRows + keys.numDeletedRows > 0n
  if (isRemoved) {
    // Links and passwords that other users requested before must not open the account during the hold.
    await tx.deleteFrom('accountLinks').where('userId', '=', userId).execute()
    await tx
      .updateTable('users')
      .set({
        factorsResetAt: sql`now()`,
        passwordTemporary: sql`password_temporary or not ${isPasswordOwn('users')}`,
        temporaryUntil: sql<Date>`case when ${isPasswordOwn('users')} then temporary_until else now() end`,
      })
      .where('id', '=', userId)
      .execute()
  }
  return isRemoved
}

/**
 * Returns the SQL condition that a factor reset keeps the password of a user: its user chose it, with a second factor
 * or at least FACTOR_HOLD_DAYS ago.
 */
export const isPasswordOwn = (alias: 'u' | 'users') =>
  sql<boolean>`coalesce(${sql.ref(`${alias}.passwordOwnFrom`)} <= now(), false)`

/**
 * Returns the SQL condition that second factors were reset, or an identity provider changed the email, within
 * FACTOR_HOLD_DAYS. Until then, only the user may change email and password (rules/users#hold-after-reset).
 */
export const isHeld = (alias: 'u' | 'users') =>
  sql<boolean>`coalesce(greatest(${sql.ref(`${alias}.factorsResetAt`)},
    (select s.email_changed_at from scim_users s where s.user_id = ${sql.ref(`${alias}.id`)})
  ) > now() - make_interval(days => ${sql.lit(FACTOR_HOLD_DAYS)}), false)`

/**
 * Returns the SQL condition that a user has a second factor that is at least FACTOR_HOLD_DAYS old. In that time, the
 * user could notice a stranger's factor.
 * @param user users.id
 */
export const hasSettledFactor = (user: RawBuilder<unknown>) => sql<boolean>`(exists (
  select from (select t.user_id, t.created_at from totp_secrets t union all select p.user_id, p.created_at from passkeys p) as f
  where f.user_id = ${user}::bigint and f.created_at <= now() - make_interval(days => ${sql.lit(FACTOR_HOLD_DAYS)})))`

/**
 * Marks the open requests to reset a user's second factors as needless, because the user logged in with one
 * (rules/users#factor-reset).
 */
export async function endResets(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('factorResets')
    .set({ state: 'needless', decidedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Encrypts the app secrets of previous key secrets again with the current one when a server starts, so that the
 * previous one can be removed.
 * @returns the number of app secrets that no given key secret decrypts: their codes stay wrong until the app is set up
 * again
 */
export async function renewSealed(db: Db, keys: MarkedKeys): Promise<number> {
  const mark = keys.fingerprint
  // Selects by the mark: decrypting each of 100,000 secrets would add seconds to every start.
  const rows = await db
    .selectFrom('totpSecrets')
    .select(['userId', 'sealed'])
    .where(sql<boolean>`sealed_by is distinct from ${mark}`)
    .execute()
  let lost = 0
  for (let first = 0; first < rows.length; first += RENEWED_AT_ONCE) {
    const looked = rows.slice(first, first + RENEWED_AT_ONCE).map(({ userId, sealed }) => {
      const next = reencrypt(keys, sealed, aboutTotp(userId))
      return { userId, sealed, next: next === undefined ? sealed : next }
    })
    const opened = looked.flatMap(({ next, ...row }) => (next === null ? [] : [{ ...row, next }]))
    lost += looked.length - opened.length
    // A secret that its user replaced meanwhile is not overwritten.
    await sql`update totp_secrets t set sealed = one.next, sealed_by = ${mark}
      from unnest(${opened.map(({ userId }) => userId)}::bigint[], ${opened.map(({ sealed }) => sealed)}::bytea[],
        ${opened.map(({ next }) => next)}::bytea[]) as one (user_id, sealed, next)
      where t.user_id = one.user_id and t.sealed = one.sealed`.execute(db)
  }
  return lost
}
