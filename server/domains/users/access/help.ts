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

/** What stays on record of help: the reason, where one was given. */
export const because = (reason: string) => (reason === '' ? {} : { reason })

const personOf = ({ id, login_id, email, language }: Awaited<ReturnType<typeof lockUser>>): Invited => ({
  id,
  userId: login_id,
  email,
  language,
})

/** Takes the lock of wrong passwords away (rules/users#unlock). */
export const unlockUser: Handler<typeof unlockEndpoint> = async (call, { userId, reason }) => {
  await call.db.transaction().execute(async (tx) => {
    await lockUser(tx, call.actor, userId, false)
    if (!(await endLock(tx, userId))) refuse('RECORD_CHANGED')
    await call.audit(tx, { target: userId, detail: because(reason) })
  })
  return {}
}

/** Mails a temporary password, as a reset by the owner does, without a certification (rules/users#reset-sent). */
export const resetUser: Handler<typeof resetEndpoint> = async (call, { userId, reason }) => {
  const { db, actor, services } = call
  // Before anything changes: the old password must not be lost for one that does not arrive.
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

/** Sends an invitation again, also one that has run out; not to somebody who has a password (rules/users#invitation). */
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

/** Asks the owner of another address to confirm it; the present one is told (rules/users#e-mail-corrected). */
export const requestEmail: Handler<typeof requestEmailEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const { userId, email, reason } = input
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, userId, false)
    if (user.is_held) refuse('FACTOR_RESET_HOLD')
    // Whoever has the mailbox can enter the account, and do there what its role may.
    const role = { roleCode: user.role_code, functions: user.role_functions }
    if (!canGrant(actor, role)) refuse('FORBIDDEN', { raisesRights: true })
    if (email === user.email && (await endLinks(tx, [user.id], [LINK.email])))
      return call.audit(tx, { target: userId, detail: because(reason) })
    // Said openly, as when a user is registered: whoever administers users finds people by their address anyway.
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

/** Removes an account that nobody ever approved and that nothing refers to; its ID is free again (rules/users#removal). */
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
