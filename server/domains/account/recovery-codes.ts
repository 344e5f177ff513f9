import { createHash, randomInt } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { RECOVERY_CODES } from '../../../contract/account.ts'
import type { Database } from '../../db/types.ts'

/** 32 letters and digits, five bits each, without those that are easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789'
const GROUPS = 4
const GROUP_LENGTH = 4

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
 * Replaces the recovery codes of a user by new ones (rules/account#recovery-codes).
 * @returns the codes, which are not stored in plain text
 */
export async function makeRecoveryCodes(tx: Transaction<Database>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await tx
    .with('before', (db) => db.deleteFrom('recovery_codes').where('user_id', '=', userId))
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOfCode(code) })))
    .execute()
  return codes
}

/** Returns the number of unused codes of a user, as a column of a query. */
export const codesLeft = (userId: string) =>
  sql<number>`(select count(*)::int from recovery_codes c where c.user_id = ${userId} and c.used_at is null)`
