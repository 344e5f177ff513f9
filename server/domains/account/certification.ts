import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { CERTIFY_SECONDS, CERTIFY_TRIES } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'

/** What a code is bound to: it opens nothing else. */
export interface CertificationSubject {
  type: string
  email: string
  /** '' for find ID, which is not about a user ID. */
  loginId: string
}

/** A certification whose code was right; it is used up with what it allows. */
export interface Certification extends CertificationSubject {
  codeHash: Buffer
}

/**
 * Makes a code, which replaces an earlier one of the same type and e-mail.
 * @returns the 6 digits, which are kept nowhere else but in the mail
 */
export async function makeCode(tx: Transaction<Database>, subject: CertificationSubject): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const salt = randomBytes(16)
  const row = {
    login_id: subject.loginId,
    salt,
    code_hash: hashCode(salt, code),
    tries: 0,
    expires_at: sql<Date>`now() + make_interval(secs => ${CERTIFY_SECONDS})`,
  }
  await tx
    .insertInto('certifications')
    .values({ type_code: subject.type, email: subject.email, ...row })
    .onConflict((conflict) => conflict.columns(['type_code', 'email']).doUpdateSet(row))
    .execute()
  return code
}

/**
 * Compares a code with the live one. Each call takes one of its five tries first, so that parallel guesses
 * cannot outrun the count. A right code stays until `useUp`.
 * @throws {Refusal} CERTIFICATION_FAILED for a wrong, expired, used, exhausted or foreign code alike
 */
export async function checkCode(
  db: Kysely<Database>,
  subject: CertificationSubject,
  code: string,
): Promise<Certification> {
  const row = await db
    .updateTable('certifications')
    .set({ tries: sql`tries + 1` })
    .where('type_code', '=', subject.type)
    .where('email', '=', subject.email)
    .where('tries', '<', CERTIFY_TRIES)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['login_id', 'salt', 'code_hash'])
    .executeTakeFirst()
  if (row === undefined || row.login_id !== subject.loginId) return refuse('CERTIFICATION_FAILED')
  if (!timingSafeEqual(row.code_hash, hashCode(row.salt, code))) return refuse('CERTIFICATION_FAILED')
  return { ...subject, codeHash: row.code_hash }
}

/**
 * Uses the code up in the transaction of what it allows. It can be used once: the first caller wins.
 * @throws {Refusal} CERTIFICATION_FAILED when it was used or replaced meanwhile
 */
export async function useUp(tx: Transaction<Database>, certification: Certification): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('certifications')
    .where('type_code', '=', certification.type)
    .where('email', '=', certification.email)
    .where('code_hash', '=', certification.codeHash)
    .executeTakeFirst()
  if (numDeletedRows === 0n) refuse('CERTIFICATION_FAILED')
}

// A million codes are no secret to anyone who reads the table; the hash keeps them out of logs and dumps.
function hashCode(salt: Buffer, code: string): Buffer {
  return createHash('sha256').update(salt).update(code).digest()
}

/** Removes the codes that have expired. */
export async function removeExpiredCodes(pool: pg.Pool): Promise<void> {
  await pool.query('delete from certifications where expires_at < now()')
}
