import { sql } from 'kysely'
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
import type { Handler } from '../../../http/handler.ts'
import { temporaryPassword } from '../../../services/password.ts'
import {
  askToConfirmEmail,
  endCorrection,
  endLock,
  findEmailHolder,
  hasLink,
  sendInvitations,
  sendTemporaryPassword,
} from '../../account/index.ts'
import { isRemovable, reasonDetail, changeUser } from '../queries.ts'

/**
 * Removes the lock of an account, also a disabled password (`endLock`, rules/users#unlock). Writes the audit row.
 * @throws {Refusal} RECORD_CHANGED if there is no lock; FORBIDDEN and USER_NOT_FOUND as `lockUser`
 */
export const unlockUser: Handler<typeof unlockEndpoint> = (call, { userId, reason }) =>
  changeUser(call, userId, async (tx) => {
    if (!(await endLock(tx, userId))) refuse('RECORD_CHANGED')
    return reasonDetail(reason)
  })

/**
 * Replaces the password of an account with a temporary one and mails it, as a reset by the owner does, but without
 * email verification (rules/users#send-temporary-password). Ends all access, email links, known networks and single
 * sign-on links, and the lock of wrong passwords. Writes the audit row.
 * @throws {Refusal} MAIL_UNAVAILABLE, before any change; FACTOR_RESET_HOLD during the hold after a reset of second
 * factors; FORBIDDEN and USER_NOT_FOUND as `lockUser`
 */
export const resetUser: Handler<typeof resetEndpoint> = async (call, { userId, reason }) => {
  // Checked before any change: the old password must not be replaced by one that does not arrive.
  if (call.services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  const password = temporaryPassword()
  const hash = await call.services.passwords.hash(password)
  return changeUser(call, userId, async (tx, user) => {
    if (user.isHeld) refuse('FACTOR_RESET_HOLD')
    await sendTemporaryPassword(tx, call, user, { password, hash })
    return reasonDetail(reason)
  })
}

/**
 * Mails a new invitation link to a user who has an invitation, also an expired one. The previous link ends
 * (rules/users#invitation). Writes the audit row.
 * @throws {Refusal} RECORD_CHANGED if the user has none: it was used, or never sent; MAIL_UNAVAILABLE;
 * FACTOR_RESET_HOLD during the hold after a reset of second factors; FORBIDDEN and USER_NOT_FOUND as `lockUser`
 */
export const inviteUser: Handler<typeof inviteEndpoint> = async (call, { userId, reason }) => {
  if (call.services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  return changeUser(call, userId, async (tx, user) => {
    if (user.isHeld) refuse('FACTOR_RESET_HOLD')
    if (!(await hasLink(tx, user.id, LINK.invitation))) refuse('RECORD_CHANGED')
    await sendInvitations(tx, call.services, [user], call.requester)
    return reasonDetail(reason)
  })
}

/**
 * Mails the owner of another email a link to confirm it, and notifies the owner of the current one by mail. Until then
 * the account keeps its email (rules/users#e-mail-corrected). The current email cancels an open request instead. Writes
 * the audit row.
 * @throws {Refusal} EMAIL_TAKEN, also for the current email without an open request; MAIL_UNAVAILABLE;
 * FACTOR_RESET_HOLD during the hold after a reset of second factors; FORBIDDEN for a role that the actor may not grant;
 * FORBIDDEN and USER_NOT_FOUND as `lockUser`
 */
export const requestEmail: Handler<typeof requestEmailEndpoint> = async (call, input) => {
  const { actor, services } = call
  const { userId, email, reason } = input
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  return changeUser(call, userId, async (tx, user) => {
    if (user.isHeld) refuse('FACTOR_RESET_HOLD')
    // The owner of the mailbox can log in to the account and use the permissions of its role.
    const role = { roleCode: user.roleCode, functions: user.roleFunctions, span: user.roleSpan }
    if (!canGrant(actor, role)) refuse('FORBIDDEN', { raisesRights: true })
    if (email === user.email && (await endCorrection(tx, user.id))) return reasonDetail(reason)
    // Refused openly, as in a registration: administrators of users can search for emails anyway.
    const holder = await findEmailHolder(tx, email)
    if (holder !== undefined) {
      call.touches([holder.id])
      refuse('EMAIL_TAKEN')
    }
    await askToConfirmEmail(tx, services, user, { newEmail: email, requestedBy: actor.id })
    return { email: { before: user.email, after: email }, ...reasonDetail(reason) }
  })
}

/**
 * Deletes the row of an account that was never approved and that no record refers to. Its ID becomes available again
 * (rules/users#removal). Writes an audit row with the name and email.
 * @throws {Refusal} USER_NOT_REMOVABLE unless `isRemovable`; FORBIDDEN and USER_NOT_FOUND as `lockUser`
 */
export const removeUser: Handler<typeof removeEndpoint> = (call, { userId, reason }) =>
  changeUser(call, userId, async (tx, { id, name, email }) => {
    const { removable } = await tx
      .selectFrom('users as u')
      .select(isRemovable.as('removable'))
      .where('u.id', '=', id)
      .executeTakeFirstOrThrow()
    if (!removable) refuse('USER_NOT_REMOVABLE')
    await mapConstraintErrors({ [FOREIGN_KEY]: 'USER_NOT_REMOVABLE' }, () =>
      tx
        .deleteFrom('users')
        .where('id', '=', id)
        .returning(sql`1`.as('one'))
        .executeTakeFirstOrThrow(),
    )
    return { name, email, ...reasonDetail(reason) }
  })
