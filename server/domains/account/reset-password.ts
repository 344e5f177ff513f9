import type { Transaction } from 'kysely'
import type { resetPassword as endpoint } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { queueMail } from '../../services/mail.ts'
import { temporaryPassword } from '../../services/password.ts'
import { checkCode, useUp } from './certification.ts'
import type { Invited } from './invitation.ts'
import { findUserByEmail, saveTemporaryPassword } from './queries.ts'
import { endAccess } from './sessions.ts'

/** Gives an account a temporary password and mails it to the owner. Ends every session and the lock of wrong passwords. */
export async function sendTemporaryPassword(
  tx: Transaction<Database>,
  { services: { settings }, requester }: Pick<Call, 'services' | 'requester'>,
  { id, userId, email, language }: Invited,
  { password, hash }: { password: string; hash: string },
): Promise<void> {
  await saveTemporaryPassword(tx, id, userId, hash)
  await endAccess(tx, id)
  const text = mailTexts[language].temporaryPassword(settings.now().company, userId, password)
  const link = settings.link('/login')
  await queueMail(tx, { to: email, language, text, link, isUrgent: true, requester })
}

/**
 * Sends a temporary password to the verified email, ends every session, and removes the lock of wrong passwords
 * (rules/account#reset-password). The password must be changed at the next login.
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
    await useUp(tx, certification)
    const owner = await findUserByEmail(tx, request.email)
    if (owner?.login_id !== request.userId) return refuse('CERTIFICATION_FAILED')
    // Access to the mailbox alone must not open the account.
    if (owner.is_held) refuse('FACTOR_RESET_HOLD')
    // The reason of the suspension may be that a stranger reads the mailbox.
    if (owner.suspended_for !== null) refuse('ACCOUNT_SUSPENDED_BY_HAND')
    const account = { id: owner.id, userId: owner.login_id, email: request.email, language }
    await sendTemporaryPassword(tx, call, account, { password, hash })
    await call.audit(tx, { target: owner.login_id, actorId: owner.id })
  })
  services.mail.wake()
  return {}
}
