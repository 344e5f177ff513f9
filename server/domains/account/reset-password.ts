import type { resetPassword as endpoint } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { Handler } from '../../http/handler.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { queueMail } from '../../services/mail.ts'
import { temporaryPassword } from '../../services/password.ts'
import { checkCode, useUp } from './certification.ts'
import { findUserByEmail, saveTemporaryPassword } from './queries.ts'

/**
 * Sends a temporary password to the certified e-mail, ends every session, and takes the lock of wrong
 * passwords away (rules/account#reset-password). It has to be changed at the next login.
 */
export const resetPassword: Handler<typeof endpoint> = async (call, request) => {
  const { db, services, language } = call
  // Before anything changes: the old password must not be lost for one that does not arrive.
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  const certification = await checkCode(
    db,
    { type: request.certificationType, email: request.email, loginId: request.userId },
    request.certificationCode,
  )
  const password = temporaryPassword()
  const hash = await services.passwords.hash(password)
  await db.transaction().execute(async (tx) => {
    await useUp(tx, certification)
    const owner = await findUserByEmail(tx, request.email)
    if (owner?.login_id !== request.userId) return refuse('CERTIFICATION_FAILED')
    await saveTemporaryPassword(tx, owner.id, owner.login_id, hash)
    await endSessionsOf(tx, owner.id)
    const text = mailTexts[language].temporaryPassword(
      services.settings.now().company,
      owner.login_id,
      password,
    )
    const link = services.settings.link('/login')
    await queueMail(tx, { to: request.email, language, text, link, isUrgent: true })
    await call.audit(tx, { target: owner.login_id, actorId: owner.id })
  })
  services.mail.wake()
  return {}
}
