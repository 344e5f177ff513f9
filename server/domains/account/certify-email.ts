import { CERTIFY_SECONDS, CERTIFY_TYPE, type certifyEmail as endpoint } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { mailTexts, type MailText } from '../../../contract/messages/mails.ts'
import type { Handler } from '../../http/handler.ts'
import { queueMail } from '../../services/mail.ts'
import { makeCode } from './certification.ts'
import { findUserByEmail } from './queries.ts'

/** One e-mail gets so many codes, whoever asks for them: nobody's mailbox is flooded. */
const CODES_PER_EMAIL = { points: 5, seconds: 10 * 60 }

/**
 * Sends a code (decisions §4). Whether the e-mail belongs to somebody shows in nothing: the same answer,
 * the same rows written; only the mail differs, and nobody gets one for an unknown account.
 */
export const certifyEmail: Handler<typeof endpoint> = async (call, request) => {
  const { db, services, language } = call
  const { E_MAIL, CERTIFY_TYPE_CODE, USER_ID } = request
  await services.limits.use('certify-email', CODES_PER_EMAIL, `${CERTIFY_TYPE_CODE}:${E_MAIL}`)
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')

  const loginId = CERTIFY_TYPE_CODE === CERTIFY_TYPE.findId ? '' : (USER_ID ?? '')
  const company = services.config.company.name
  const texts = mailTexts[language]
  await db.transaction().execute(async (tx) => {
    const code = await makeCode(tx, { type: CERTIFY_TYPE_CODE, email: E_MAIL, loginId })
    const owner = await findUserByEmail(tx, E_MAIL)

    let to: string | null = E_MAIL
    let text: MailText
    if (CERTIFY_TYPE_CODE === CERTIFY_TYPE.signUp) {
      text = owner === undefined ? texts.signUpCode(company, code) : texts.alreadySignedUp(company)
    } else if (CERTIFY_TYPE_CODE === CERTIFY_TYPE.findId) {
      text = texts.findIdCode(company, code)
      if (owner === undefined) to = null
    } else {
      text = texts.resetPasswordCode(company, code)
      if (owner?.login_id !== loginId) to = null
    }
    await queueMail(tx, { to, language, text, expiresInSeconds: CERTIFY_SECONDS })
  })
  services.mail.wake()
  return {}
}
