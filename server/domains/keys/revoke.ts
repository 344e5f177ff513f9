import { refuse } from '../../../contract/errors.ts'
import type { revokeKey as endpoint } from '../../../contract/keys.ts'
import type { Handler } from '../../http/handler.ts'

/** Revokes a key with a reason; it goes on counting for its partner's limits. */
export const revokeKey: Handler<typeof endpoint> = async (call, { keyId, reason }) => {
  await call.db.transaction().execute(async (tx) => {
    const key = await tx
      .selectFrom('issued_keys')
      .select(['id', 'revoked_at'])
      .where('id', '=', keyId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (key === undefined) return refuse('KEY_NOT_FOUND')
    if (key.revoked_at !== null) refuse('KEY_ALREADY_REVOKED')
    await tx
      .updateTable('issued_keys')
      .set({ revoked_at: call.now(), revoked_by: call.actor.id, revoke_reason: reason })
      .where('id', '=', key.id)
      .execute()
    await call.audit(tx, { target: key.id, detail: { reason } })
  })
  return {}
}
