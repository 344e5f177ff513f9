import { createHash, randomInt } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { RECOVERY_CODES } from '../../../contract/account.ts'
import type { Database } from '../../db/types.ts'

/** Without what is read for something else: 32 letters and digits, five bits each. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789'
const GROUPS = 4
const GROUP_LENGTH = 4

const newGroup = () =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** 80 random bits, as they are written down: `abcd-efgh-jkmn-pqrs`. */
const newCode = () => Array.from({ length: GROUPS }, newGroup).join('-')

/** The form in which a code is kept, however it was typed: its SHA-256. */
export function hashOfCode(typed: string): Buffer {
  const plain = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(plain).digest()
}

/**
 * Gives somebody new recovery codes in the place of those before (rules/account#recovery-codes).
 * @returns the codes, kept nowhere else
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

/** How many of somebody's codes are left, as a column of a query. */
export const codesLeft = (userId: string) =>
  sql<number>`(select count(*)::int from recovery_codes c where c.user_id = ${userId} and c.used_at is null)`
