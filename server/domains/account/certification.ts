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
 * Makes a code, which replaces an earlier one of the same subject and requester, and none of anybody else's.
 * @param requester a person or a network (`call.requester`)
 * @returns the 6 digits, which are kept nowhere else but in the mail
 */
export async function makeCode(
  tx: Transaction<Database>,
  subject: CertificationSubject,
  requester: string,
): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const salt = randomBytes(16)
  const row = {
    salt,
    code_hash: hashCode(salt, code),
    tries: 0,
    foreign_tries: 0,
    expires_at: sql<Date>`now() + make_interval(secs => ${CERTIFY_SECONDS})`,
  }
  await tx
    .insertInto('certifications')
    .values({ type_code: subject.type, email: subject.email, login_id: subject.loginId, requester, ...row })
    .onConflict((conflict) =>
      conflict.columns(['type_code', 'email', 'login_id', 'requester']).doUpdateSet(row),
    )
    .execute()
  return code
}

/**
 * Compares a code with the live ones of its subject, whoever asked for them: all went to one mailbox. Each call takes
 * one of five tries of each first, so that parallel guesses cannot outrun the count; of a code that somebody else asked
 * for one of the five that all others have together, which leaves its requester's own. A right code stays until `useUp`.
 * @throws {Refusal} CERTIFICATION_FAILED for a wrong, expired, used, exhausted or foreign code alike
 */
export async function checkCode(
  db: Kysely<Database>,
  subject: CertificationSubject,
  code: string,
  requester: string,
): Promise<Certification> {
  // Locked in one order, so that two who try at once do not wait for each other.
  const { rows } = await sql<{ salt: Buffer; code_hash: Buffer }>`
    with live as (
      select requester from certifications
      where type_code = ${subject.type} and email = ${subject.email} and login_id = ${subject.loginId}
        and expires_at > now()
      order by requester for update
    )
    update certifications c
    set tries = c.tries + (c.requester = ${requester})::int,
      foreign_tries = c.foreign_tries + (c.requester <> ${requester})::int
    from live
    where c.type_code = ${subject.type} and c.email = ${subject.email} and c.login_id = ${subject.loginId}
      and c.requester = live.requester
      and case when c.requester = ${requester} then c.tries else c.foreign_tries end < ${CERTIFY_TRIES}
    returning c.salt, c.code_hash`.execute(db)
  const right = rows.find(({ salt, code_hash }) => timingSafeEqual(code_hash, hashCode(salt, code)))
  return right === undefined ? refuse('CERTIFICATION_FAILED') : { ...subject, codeHash: right.code_hash }
}

/**
 * Uses the code up in the transaction of what it allows, and with it the others of its subject. It can be used once: the
 * first caller wins.
 * @throws {Refusal} CERTIFICATION_FAILED when it was used or replaced meanwhile
 */
export async function useUp(
  tx: Transaction<Database>,
  { codeHash, ...subject }: Certification,
): Promise<void> {
  const { rows } = await sql<{ code_hash: Buffer }>`
    with live as (
      select requester from certifications
      where type_code = ${subject.type} and email = ${subject.email} and login_id = ${subject.loginId}
      order by requester for update
    )
    delete from certifications c using live
    where c.type_code = ${subject.type} and c.email = ${subject.email} and c.login_id = ${subject.loginId}
      and c.requester = live.requester
    returning c.code_hash`.execute(tx)
  if (!rows.some(({ code_hash }) => code_hash.equals(codeHash))) refuse('CERTIFICATION_FAILED')
}

// A million codes are no secret to anyone who reads the table; the hash keeps them out of logs and dumps.
function hashCode(salt: Buffer, code: string): Buffer {
  return createHash('sha256').update(salt).update(code).digest()
}

/** Removes the codes that have expired. */
export async function removeExpiredCodes(pool: pg.Pool): Promise<void> {
  await pool.query('delete from certifications where expires_at < now()')
}
