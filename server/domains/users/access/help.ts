import { type Transaction, sql } from 'kysely'
import { LINK } from '../../../../contract/account.ts'
import { refuse } from '../../../../contract/errors.ts'
import { canGrant } from '../../../../contract/permissions.ts'
import type {
  inviteUser as inviteEndpoint,
  removeUser as removeEndpoint,
  requestEmail as requestEmailEndpoint,
  resetUser as resetEndpoint,
  unlockUser as unlockEndpoint,
} from '../../../../contract/users.ts'
import { FOREIGN_KEY, mapConstraintErrors } from '../../../db/constraints.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import { temporaryPassword } from '../../../services/password.ts'
import {
  askToConfirmEmail,
  endLinks,
  endLock,
  findEmailHolder,
  type Invited,
  sendInvitations,
  sendTemporaryPassword,
} from '../../account/index.ts'
import { isRemovable } from '../account-state.ts'
import { lockUser } from '../queries.ts'

/** Returns the audit detail of an administrator action: the reason, if one was given. */
export const because = (reason: string) => (reason === '' ? {} : { reason })

const personOf = ({ id, login_id, email, language }: Awaited<ReturnType<typeof lockUser>>): Invited => ({
  id,
  userId: login_id,
  email,
  language,
})

/** Removes the lock of wrong passwords (rules/users#unlock). */
export const unlockUser: Handler<typeof unlockEndpoint> = async (call, { userId, reason }) => {
  await call.db.transaction().execute(async (tx) => {
    await lockUser(tx, call.actor, userId, false)
    if (!(await endLock(tx, userId))) refuse('RECORD_CHANGED')
    await call.audit(tx, { target: userId, detail: because(reason) })
  })
  return {}
}

/** Mails a temporary password as a reset by the owner does, but without email verification (rules/users#reset-sent). */
export const resetUser: Handler<typeof resetEndpoint> = async (call, { userId, reason }) => {
  const { db, actor, services } = call
  // Checked before any change: the old password must not be replaced by one that does not arrive.
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  const password = temporaryPassword()
  const hash = await services.passwords.hash(password)
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, userId, false)
    if (user.is_held) refuse('FACTOR_RESET_HOLD')
    await sendTemporaryPassword(tx, call, personOf(user), { password, hash })
    await call.audit(tx, { target: userId, detail: because(reason) })
  })
  services.mail.wake()
  return {}
}

/** Sends an invitation again, also an expired one, unless the user has a password (rules/users#invitation). */
export const inviteUser: Handler<typeof inviteEndpoint> = async (call, { userId, reason }) => {
  const { db, actor, services } = call
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, userId, false)
    if (user.is_held) refuse('FACTOR_RESET_HOLD')
    if (!(await isInvited(tx, user.id))) refuse('RECORD_CHANGED')
    await sendInvitations(tx, services, [personOf(user)], call.requester)
    await call.audit(tx, { target: userId, detail: because(reason) })
  })
  services.mail.wake()
  return {}
}

async function isInvited(tx: Transaction<Database>, id: string): Promise<boolean> {
  const link = await tx
    .selectFrom('account_links')
    .select('user_id')
    .where('user_id', '=', id)
    .where('kind', '=', LINK.invitation)
    .executeTakeFirst()
  return link !== undefined
}

/** Asks the owner of another email to confirm it, and notifies the owner of the present one (rules/users#e-mail-corrected). */
export const requestEmail: Handler<typeof requestEmailEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const { userId, email, reason } = input
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, userId, false)
    if (user.is_held) refuse('FACTOR_RESET_HOLD')
    // The owner of the mailbox can log in to the account and use the permissions of its role.
    const role = { roleCode: user.role_code, functions: user.role_functions }
    if (!canGrant(actor, role)) refuse('FORBIDDEN', { raisesRights: true })
    if (email === user.email && (await endLinks(tx, [user.id], [LINK.email])))
      return call.audit(tx, { target: userId, detail: because(reason) })
    // Refused openly, as in a registration: administrators of users can search for emails anyway.
    const holder = await findEmailHolder(tx, email)
    if (holder !== undefined) {
      call.touches([holder.id])
      refuse('EMAIL_TAKEN')
    }
    await askToConfirmEmail(tx, services, personOf(user), { newEmail: email, requestedBy: actor.id })
    const detail = { email: { before: user.email, after: email }, ...because(reason) }
    await call.audit(tx, { target: userId, detail })
  })
  services.mail.wake()
  return {}
}

/** Deletes an account that was never approved and that no record refers to. Its ID becomes available again (rules/users#removal). */
export const removeUser: Handler<typeof removeEndpoint> = async (call, { userId, reason }) => {
  await call.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, call.actor, userId, false)
    const { removable } = await tx
      .selectFrom('users as u')
      .select(isRemovable.as('removable'))
      .where('u.id', '=', user.id)
      .executeTakeFirstOrThrow()
    if (!removable) refuse('USER_NOT_REMOVABLE')
    const { name, email } = user
    await call.audit(tx, {
      target: userId,
      detail: { name, email, ...because(reason) },
      records: [`user/${user.id}`],
    })
    await mapConstraintErrors({ [FOREIGN_KEY]: 'USER_NOT_REMOVABLE' }, () =>
      tx
        .deleteFrom('users')
        .where('id', '=', user.id)
        .returning(sql`1`.as('one'))
        .executeTakeFirstOrThrow(),
    )
  })
  return {}
}
