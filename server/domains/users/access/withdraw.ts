import { sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { APPROVAL, type withdrawUser as endpoint } from '../../../../contract/users.ts'
import type { Handler } from '../../../http/handler.ts'
import { keepingAdmins } from './last-admin.ts'
import { lockUser } from '../queries.ts'
import { rightsEnd } from './withdrawal.ts'
import { endAccess, endLinks } from '../../account/index.ts'

/**
 * Withdraws an account: the caller's own after password re-entry, or an approved account that the caller may administer
 * (rules/users#withdrawal). The row stays, so that notices and keys still name their author. Its ID never becomes available again.
 */
export const withdrawUser: Handler<typeof endpoint> = async (call, { userId, withdrawnReason }) => {
  const { db, actor, mayActOnOthers } = call
  const isOwn = userId === actor.userId
  if (!isOwn && !mayActOnOthers) refuse('FORBIDDEN')
  call.requireConfirmation(isOwn ? 'gate' : 'always')

  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, userId, isOwn)
    if (!isOwn && user.approval_code !== APPROVAL.approved) refuse('USER_NOT_APPROVED')
    const end = async () => {
      await tx
        .updateTable('users')
        .set({
          withdrawn_at: sql`now()`,
          withdrawn_by: actor.id,
          withdrawn_reason: isOwn || withdrawnReason === '' ? null : withdrawnReason,
          updated_at: sql`now()`,
        })
        .where('id', '=', user.id)
        .execute()
    }
    await (user.role_code === ROLE.admin ? keepingAdmins(tx, end) : end())
    await endAccess(tx, user.id)
    await endLinks(tx, [user.id])
    const detail = isOwn || withdrawnReason === '' ? {} : { reason: withdrawnReason }
    await call.audit(tx, { target: userId, detail: { ...rightsEnd(user), ...detail } })
  })
  return {}
}
