import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { RECOVERY_CODES } from '../../../contract/account.ts'
import type { Tx } from '../../db/database.ts'
import { Secret, TOTP } from 'otpauth'

/** Characters of a recovery code: 32 letters and digits, five bits each, without those that are easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789'
/** Groups of a recovery code, which dashes separate. */
const GROUPS = 4
/** Characters of a group. */
const GROUP_LENGTH = 4

/** Returns random characters for a part of a code: `abcd`. */
const newGroup = () =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Returns a code of 80 random bits in the form that users write down: `abcd-efgh-jkmn-pqrs`. */
const newCode = () => Array.from({ length: GROUPS }, newGroup).join('-')

/** Returns the stored form of a code, its SHA-256. Ignores case and separators. */
export function hashOfCode(typed: string): Buffer {
  const plain = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(plain).digest()
}

/**
 * Replaces the recovery codes of a user by new ones (rules/account#recovery-codes). Sends no mail.
 * @returns the codes, which are not stored in plain text
 */
export async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await tx
    .with('before', (db) => db.deleteFrom('recoveryCodes').where('userId', '=', userId))
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, codeHash: hashOfCode(code) })))
    .execute()
  return codes
}

/** Returns the SQL expression for the number of unused recovery codes of a user. */
export const codesLeft = (userId: string) =>
  sql<number>`(select count(*)::int from recovery_codes c where c.user_id = ${userId} and c.used_at is null)`

/** Parameters that every authenticator app supports. Some apps silently ignore other values. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Time steps that the clock of a phone may be off in either direction (rules/account#authenticator-app). */
const DRIFT = 1

/** Returns a new secret for an authenticator app: 160 random bits in base32, as RFC 4226 requires. */
export function createTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/**
 * Returns the URL in the QR code that an authenticator app scans: `otpauth://totp/…`.
 * @param names company as the issuer, and login ID as the label, which the app shows
 */
export function createOtpauthUrl(secret: string, names: { issuer: string; label: string }): string {
  return new TOTP({ ...PARAMETERS, ...names, secret }).toString()
}

/**
 * Returns the time step of an app code (RFC 6238), if the code is valid at `now`, with a phone clock that is off by one step at
 * most.
 * @returns null if it is not valid
 */
export function findTimeStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const drift = new TOTP({ ...PARAMETERS, secret }).validate({ token: code, timestamp, window: DRIFT })
  return drift === null ? null : Math.floor(timestamp / 1000 / PARAMETERS.period) + drift
}
