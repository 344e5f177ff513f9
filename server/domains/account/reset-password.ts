import type { resetPassword as endpoint, findId as findEndpoint } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Tx } from '../../db/database.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { queueMail } from '../../services/mail.ts'
import { temporaryPassword } from '../../services/password.ts'
import { checkCode, consumeCode } from './email-verification.ts'
import type { InvitedUser } from './invitation.ts'
import { findUserByEmail, saveTemporaryPassword } from './queries.ts'
import { endAccess } from './sessions.ts'

/**
 * Gives an account a temporary password and queues a mail with it to the owner. Ends its access (`endAccess`), email
 * links, known networks and single sign-on links, and the lock of wrong passwords. The caller wakes the mail job and
 * writes the audit row.
 * @param password the temporary password, and in `hash` its stored hash
 */
export async function sendTemporaryPassword(
  tx: Tx,
  { services: { settings }, requester }: Pick<Call, 'services' | 'requester'>,
  { id, loginId, name, email, language }: InvitedUser,
  { password, hash }: { password: string; hash: string },
): Promise<void> {
  await saveTemporaryPassword(tx, id, loginId, hash)
  await endAccess(tx, id)
  const values = { userId: loginId, name, password }
  const mail = composeMail(settings, 'temporaryPassword', language, values, settings.link('/login'))
  await queueMail(tx, { to: email, ...mail, isUrgent: true, requester })
}

/**
 * Mails a temporary password to the verified email as `sendTemporaryPassword`, with an audit row
 * (rules/account#reset-password). The password must be changed at the next login.
 * @throws {Refusal} MAIL_UNAVAILABLE; CERTIFICATION_FAILED for a wrong code, or if ID and email are not of one account;
 * FACTOR_RESET_HOLD during the hold (`isHeld`); ACCOUNT_SUSPENDED_BY_HAND if an administrator has suspended the account
 */
export const resetPassword: Handler<typeof endpoint> = async (call, request) => {
  const { db, services, language } = call
  // Checked before any change: the old password must not be replaced by one that does not arrive.
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  const certification = await checkCode(
    db,
    { type: request.certificationType, email: request.email, loginId: request.userId },
    request.certificationCode,
    call.requester,
  )
  const password = temporaryPassword()
  const hash = await services.passwords.hash(password)
  await db.transaction().execute(async (tx) => {
    await consumeCode(tx, certification)
    const owner = await findUserByEmail(tx, request.email)
    if (owner?.loginId !== request.userId) return refuse('CERTIFICATION_FAILED')
    // Access to the mailbox alone must not open the account.
    if (owner.isHeld) refuse('FACTOR_RESET_HOLD')
    // The reason of the suspension may be that a stranger reads the mailbox.
    if (owner.suspendedFor !== null) refuse('ACCOUNT_SUSPENDED_BY_HAND')
    await sendTemporaryPassword(tx, call, { ...owner, email: request.email, language }, { password, hash })
    await call.audit(tx, { target: owner.loginId, actorId: owner.id, records: [`user/${owner.id}`] })
  })
  services.mail.wake()
}

/**
 * Returns the login ID of the account of an email to the client with the code that was mailed there, and uses the code
 * up (rules/account#find-id).
 * @throws {Refusal} CERTIFICATION_FAILED, also if there is no such account
 */
export const findId: Handler<typeof findEndpoint> = async ({ db, requester }, request) => {
  const certification = await checkCode(
    db,
    { type: request.certificationType, email: request.email, loginId: '' },
    request.certificationCode,
    requester,
  )
  return db.transaction().execute(async (tx) => {
    await consumeCode(tx, certification)
    const owner = await findUserByEmail(tx, request.email)
    // An account that was withdrawn since the code was sent is treated as one that never existed.
    if (owner === undefined) return refuse('CERTIFICATION_FAILED')
    return { userId: owner.loginId }
  })
}
