import { type Kysely, sql } from 'kysely'
import { claimedKeyId } from '../../services/key-secret.ts'
import type { verifyKey as endpoint } from '../../../contract/keys.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { isInForce } from '../partners/index.ts'

/**
 * Returns the current state of a key: valid, revoked, expired or unknown, and its ID ('' if unknown). It is expired
 * while its partner is deactivated or not valid, or its user may not log in. Refuses nothing. Keys are not stored, so
 * the server reads the ID from the key, derives the rest again and compares it in constant time.
 */
export const verifyKey: Handler<typeof endpoint> = async ({ db, services, now }, { issuedKey }) => {
  const id = claimedKeyId(issuedKey)
  const row = id === undefined ? undefined : await findState(db, id, now())
  // Derived even if there is no such key: the response time must not reveal which IDs exist.
  const parts = row ?? { id: id ?? '0', userId: '0', requestKey: '' }
  const isGenuine = services.keySecret.isKeyOf(issuedKey, parts, row?.fingerprint ?? NO_SECRET)
  if (row === undefined || !isGenuine) return { state: 'unknown', keyId: '' }
  return { state: row.isRevoked ? 'revoked' : row.isExpired ? 'expired' : 'valid', keyId: row.id }
}

/** Fingerprint for a key that was never issued, or whose secret the database does not contain. */
const NO_SECRET = Buffer.alloc(0)

/**
 * Returns the key with an ID: the parts from which it is derived, the fingerprint of its secret (null if the database does not
 * have it), and whether it is revoked or expired; undefined if there is none. A key is expired if its partner is not valid or
 * is deactivated, or its user may not make calls.
 */
async function findState(db: Kysely<Database>, id: string, now: Date) {
  const today = sql`(${now}::timestamptz at time zone 'Asia/Seoul')::date`
  return db
    .selectFrom('issuedKeys as k')
    .innerJoin('users as u', 'u.id', 'k.userId')
    .innerJoin('partners as p', 'p.id', 'k.partnerId')
    .leftJoin('keySecrets as s', 's.version', 'k.secretVersion')
    .select([
      'k.id',
      'k.userId',
      'k.requestKey',
      's.fingerprint',
      sql<boolean>`k.revoked_at is not null`.as('isRevoked'),
      sql<boolean>`not ${isInForce('p', today)} or p.stopped_at is not null or not may_call(u, ${today})`.as(
        'isExpired',
      ),
    ])
    .where('k.id', '=', id)
    .executeTakeFirst()
}
