import { type RawBuilder, sql } from 'kysely'
import { KEYS_REVOKED_MAX } from '../../contract/keys.ts'
import { refuse } from '../../contract/errors.ts'
import type { Tx } from '../db/database.ts'
import type { AuditedOne } from './audit.ts'
import { NOTIFICATIONS_KEPT, notify } from './notifications.ts'

/** Part of a call that a revocation needs. */
interface RevokingCall {
  actor: { id: string }
  now: () => Date
  touches: (ids: readonly string[]) => void
  auditEach: (tx: Tx, changed: readonly AuditedOne[], action: 'key.revoke') => Promise<void>
}

/**
 * Revokes the selected keys that are not revoked yet (rules/keys#revoke-key): with one reason, an audit row for each, and a
 * notification of its user, unless the caller is the user. Adds the users as data subjects of the call. The keys still count for
 * the limits of their partners.
 * @param selected SQL condition on issued_keys
 * @returns the number of revoked keys, which may be 0
 * @throws {Refusal} KEYS_TOO_MANY if they are more than KEYS_REVOKED_MAX
 */
export async function revokeKeys(
  tx: Tx,
  call: RevokingCall,
  selected: RawBuilder<boolean>,
  reason: string,
): Promise<number> {
  const keys = await tx
    .selectFrom('issuedKeys')
    .select(['id', 'userId', 'requestKey'])
    .where(selected)
    .where('revokedAt', 'is', null)
    .orderBy('id')
    .limit(KEYS_REVOKED_MAX + 1)
    .forNoKeyUpdate()
    .execute()
  if (keys.length > KEYS_REVOKED_MAX) refuse('KEYS_TOO_MANY')
  if (keys.length === 0) return 0
  await tx
    .updateTable('issuedKeys')
    .set({ revokedAt: call.now(), revokedBy: call.actor.id, revokeReason: reason })
    .where('id', '=', sql<string>`any(${keys.map(({ id }) => id)}::bigint[])`)
    .execute()
  const keysByUser = Map.groupBy(keys, ({ userId }) => userId)
  call.touches([...keysByUser.keys()])
  await notify(
    tx,
    ...[...keysByUser]
      .filter(([userId]) => userId !== call.actor.id)
      // A list keeps no more, so the oldest keys need no notification.
      .flatMap(([userId, own]) =>
        own.slice(-NOTIFICATIONS_KEPT).map(({ requestKey }) => ({
          kind: 'KEY_REVOKED' as const,
          userId,
          detail: { requestKey, reason },
        })),
      ),
  )
  await call.auditEach(
    tx,
    keys.map(({ id }) => ({ id, target: id, detail: { reason } })),
    'key.revoke',
  )
  return keys.length
}
