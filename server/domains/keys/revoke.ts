import { refuse } from '../../../contract/errors.ts'
import type { revokeKey as endpoint } from '../../../contract/keys.ts'
import type { Handler } from '../../http/handler.ts'
import { notify } from '../../services/notifications.ts'

/** Revokes a key with a reason. The key still counts for the limits of its partner. */
export const revokeKey: Handler<typeof endpoint> = async (call, { keyId, reason }) => {
  await call.db.transaction().execute(async (tx) => {
    const key = await tx
      .selectFrom('issued_keys')
      .select(['id', 'revoked_at', 'user_id', 'request_key'])
      .where('id', '=', keyId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (key === undefined) return refuse('KEY_NOT_FOUND')
    call.touches([key.user_id])
    if (key.revoked_at !== null) refuse('KEY_ALREADY_REVOKED')
    await tx
      .updateTable('issued_keys')
      .set({ revoked_at: call.now(), revoked_by: call.actor.id, revoke_reason: reason })
      .where('id', '=', key.id)
      .execute()
    // The owner is not notified of their own action.
    if (key.user_id !== call.actor.id) {
      const detail = { requestKey: key.request_key, reason }
      await notify(tx, { kind: 'KEY_REVOKED', userId: key.user_id, detail })
    }
    await call.audit(tx, { target: key.id, detail: { reason } })
  })
  return {}
}
