import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { CERTIFY_SECONDS, CERTIFY_TRIES } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Db, Tx } from '../../db/database.ts'

/** The only purpose, email and user that a verification code is valid for. */
export interface CertificationSubject {
  /** A CERTIFY_TYPE, or the type of the caller's new email. */
  type: string
  email: string
  /** '' for the search for an ID, where the user does not enter one. */
  loginId: string
}

/** Subject whose code was right. The call that it allows passes it to `consumeCode`. */
export interface Certification extends CertificationSubject {
  /** Salted hash of the code. */
  codeHash: Buffer
}

/**
 * Creates a verification code, valid for CERTIFY_SECONDS. It replaces an earlier code of the same subject and
 * requester, but not those of other requesters. Sends no mail.
 * @param requester a user or a network (`call.requester`)
 * @returns the 6 digits, which are stored only in the mail
 */
export async function makeCode(tx: Tx, subject: CertificationSubject, requester: string): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const salt = randomBytes(16)
  const row = {
    salt,
    codeHash: hashCode(salt, code),
    tries: 0,
    foreignTries: 0,
    expiresAt: sql<Date>`now() + make_interval(secs => ${CERTIFY_SECONDS})`,
  }
  await tx
    .insertInto('certifications')
    .values({ typeCode: subject.type, email: subject.email, loginId: subject.loginId, requester, ...row })
    .onConflict((conflict) =>
      conflict.columns(['typeCode', 'email', 'loginId', 'requester']).doUpdateSet(row),
    )
    .execute()
  return code
}

/**
 * Compares a code with the valid codes of its subject, from all requesters: all went to one mailbox. Each call first
 * takes one of CERTIFY_TRIES attempts of each code. For codes of other requesters, all callers share a separate number
 * of attempts, so that the requester of the code keeps their own. A right code stays valid until `consumeCode`.
 * @returns the subject with the hash of the code, for `consumeCode`
 * @throws {Refusal} CERTIFICATION_FAILED, the same for a wrong, expired, used or exhausted code, and for one of another
 * subject
 */
export async function checkCode(
  db: Db,
  subject: CertificationSubject,
  code: string,
  requester: string,
): Promise<Certification> {
  // Locked in a fixed order, so that two concurrent calls cannot cause a deadlock.
  const { rows } = await sql<{ salt: Buffer; codeHash: Buffer }>`
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
  const right = rows.find(({ salt, codeHash }) => timingSafeEqual(codeHash, hashCode(salt, code)))
  return right === undefined ? refuse('CERTIFICATION_FAILED') : { ...subject, codeHash: right.codeHash }
}

/**
 * Deletes the code and all other codes of its subject, in the transaction of the call that it allows. Of concurrent
 * calls the first one succeeds.
 * @throws {Refusal} CERTIFICATION_FAILED if the code was used or replaced since `checkCode`
 */
export async function consumeCode(tx: Tx, { codeHash, ...subject }: Certification): Promise<void> {
  const { rows } = await sql<{ codeHash: Buffer }>`
    with live as (
      select requester from certifications
      where type_code = ${subject.type} and email = ${subject.email} and login_id = ${subject.loginId}
      order by requester for update
    )
    delete from certifications c using live
    where c.type_code = ${subject.type} and c.email = ${subject.email} and c.login_id = ${subject.loginId}
      and c.requester = live.requester
    returning c.code_hash`.execute(tx)
  if (!rows.some((row) => row.codeHash.equals(codeHash))) refuse('CERTIFICATION_FAILED')
}

/**
 * Returns the stored form of a code. This keeps codes out of logs and dumps, but a reader of the table can guess the
 * code from it: there are only a million.
 */
function hashCode(salt: Buffer, code: string): Buffer {
  return createHash('sha256').update(salt).update(code).digest()
}

/** Deletes the expired codes. */
export async function removeExpiredCodes(pool: pg.Pool): Promise<void> {
  await pool.query('delete from certifications where expires_at < now()')
}
