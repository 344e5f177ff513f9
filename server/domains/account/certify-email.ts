import { CERTIFY_SECONDS, CERTIFY_TYPE, type certifyEmail as endpoint } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { queueMail } from '../../services/mail.ts'
import { makeCode } from './certification.ts'
import { findUserByEmail } from './queries.ts'

/** Codes of one type for one e-mail that one requester asks for. */
const CODES = { points: 5, seconds: 10 * 60 }
const CODES_A_DAY = { points: 20, seconds: 24 * 60 * 60 }
/**
 * And whoever asks for them: nobody's mailbox is flooded. More than one requester gets, and over within the hour, so
 * that no stranger keeps its owner from a code (ADR 081).
 */
const CODES_OF_ALL = { points: 20, seconds: 10 * 60 }
const CODES_OF_ALL_AN_HOUR = { points: 40, seconds: 60 * 60 }

/**
 * Sends a code (rules/account#nobody-learns-who-works-here). Whether the e-mail belongs to somebody shows in nothing:
 * the same answer, the same rows written; only the mail differs, and nobody gets one for an unknown account.
 */
export const certifyEmail: Handler<typeof endpoint> = async (call, request) => {
  const { db, services, language, requester } = call
  const { email, certificationType, userId } = request
  // First: what cannot be sent uses up none of the person's codes.
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  await useMailbox(call, certificationType, email)

  const type = certificationType
  const loginId = type === CERTIFY_TYPE.findId ? '' : (userId ?? '')
  const company = services.settings.now().company
  await db.transaction().execute(async (tx) => {
    const code = await makeCode(tx, { type, email, loginId }, requester)
    const owner = await findUserByEmail(tx, email)
    const expiresInSeconds = CERTIFY_SECONDS
    if (type === CERTIFY_TYPE.signUp && owner !== undefined) {
      // The person who asks need not be the owner, who is told in their own language.
      const text = mailTexts[owner.language].alreadySignedUp(company)
      await queueMail(tx, {
        to: email,
        language: owner.language,
        text,
        link: services.settings.link('/login'),
        // Like the code in whose place it is: neither is seen to take longer.
        isUrgent: true,
        requester,
        expiresInSeconds,
      })
    } else {
      const text = mailTexts[language][CODE_MAIL[type]](company, code)
      const to = mayHave(type, owner?.login_id, loginId) ? email : null
      const link = services.settings.link(CODE_PAGE[type])
      await queueMail(tx, { to, language, text, link, isUrgent: true, requester, expiresInSeconds })
    }
  })
  services.mail.wake()
  return {}
}

/**
 * Counts a code that is about to be mailed.
 * @throws {Refusal} TOO_MANY_TRIES
 */
export async function useMailbox(
  { services: { limits }, requester }: Pick<Call, 'services' | 'requester'>,
  type: string,
  email: string,
): Promise<void> {
  const mailbox = `${type}:${email}`
  // First what is the requester's own: what is refused there takes nothing from others.
  await limits.use('certify-email', CODES, `${mailbox}:${requester}`)
  await limits.use('certify-email-day', CODES_A_DAY, `${mailbox}:${requester}`)
  await limits.use('certify-email-all', CODES_OF_ALL, mailbox)
  await limits.use('certify-email-hour', CODES_OF_ALL_AN_HOUR, mailbox)
}

const CODE_MAIL = {
  [CERTIFY_TYPE.signUp]: 'signUpCode',
  [CERTIFY_TYPE.findId]: 'findIdCode',
  [CERTIFY_TYPE.resetPassword]: 'resetPasswordCode',
} as const

/** Where the code is asked for. */
const CODE_PAGE = {
  [CERTIFY_TYPE.signUp]: '/signup',
  [CERTIFY_TYPE.findId]: '/find/id',
  [CERTIFY_TYPE.resetPassword]: '/reset/pw',
} as const

/** Whether a code of this type goes to an e-mail that belongs to `ownerId`, or to nobody. */
function mayHave(type: string, ownerId: string | undefined, loginId: string): boolean {
  if (type === CERTIFY_TYPE.signUp) return true
  if (type === CERTIFY_TYPE.findId) return ownerId !== undefined
  return ownerId === loginId
}
