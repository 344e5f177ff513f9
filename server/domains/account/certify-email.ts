import { CERTIFY_SECONDS, CERTIFY_TYPE, type certifyEmail as endpoint } from '../../../contract/account.ts'
import type { AddressLimit } from '../../../contract/endpoint.ts'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { networkOf } from '../../http/address.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { queueMail } from '../../services/mail.ts'
import { makeCode } from './certification.ts'
import { findEmailHolder, findUserByEmail } from './queries.ts'

/** Codes of one type for one e-mail that one requester asks for. */
const CODES = { points: 5, seconds: 10 * 60 }
const CODES_A_DAY = { points: 20, seconds: 24 * 60 * 60 }
/**
 * And whoever asks for them: nobody's mailbox is flooded. More than one requester gets, and over within the hour, so
 * that no stranger keeps its owner from a code (design/mail-and-notifications#verification-codes).
 */
const CODES_OF_ALL = { points: 20, seconds: 10 * 60 }
const CODES_OF_ALL_AN_HOUR = { points: 40, seconds: 60 * 60 }
/**
 * Mails that one requester may cause, per purpose (rules/account#certification-recipients). A company may share one network: 60 new
 * colleagues can sign up in an hour, while a stranger cannot mail thousands. A user changes their own email.
 */
const RECIPIENTS = {
  network: { hour: { points: 60, seconds: 60 * 60 }, day: { points: 200, seconds: 24 * 60 * 60 } },
  user: { hour: { points: 5, seconds: 60 * 60 }, day: { points: 10, seconds: 24 * 60 * 60 } },
}
/** Factor of these limits for accounts that have logged in from the requester's network. */
const KNOWN_TIMES = 10

/**
 * Sends a code (rules/account#nobody-learns-who-works-here). Whether the e-mail belongs to somebody shows in nothing:
 * the same answer, the same rows written; only the mail differs, and nobody gets one for an unknown account.
 */
export const certifyEmail: Handler<typeof endpoint> = async (call, request) => {
  const { db, services, language, requester } = call
  const { email, certificationType, userId } = request
  // First: what cannot be sent uses up none of the person's codes.
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  const isForAnybody = certificationType === CERTIFY_TYPE.signUp
  await useMailbox(call, certificationType, email, isForAnybody)

  const type = certificationType
  const loginId = type === CERTIFY_TYPE.findId ? '' : (userId ?? '')
  const company = services.settings.now().company
  // A sign-up meets every account that reserves the address, the other purposes an active one.
  const holder = isForAnybody ? await findEmailHolder(db, email) : undefined
  const owner = isForAnybody ? undefined : await findUserByEmail(db, email, networkOf(call.address))
  const isOwners = mayHave(type, owner?.login_id, loginId)
  const isMailed = isForAnybody || (await mayMail(call, type, isOwners ? owner : undefined))
  await db.transaction().execute(async (tx) => {
    const code = await makeCode(tx, { type, email, loginId }, requester)
    const expiresInSeconds = CERTIFY_SECONDS
    if (holder !== undefined) {
      // The requester need not be the holder, who gets the hint in their own language.
      const text = mailTexts[holder.language].alreadySignedUp(company)
      await queueMail(tx, {
        to: email,
        language: holder.language,
        text,
        link: services.settings.link('/login'),
        // Like the code in whose place it is: neither is seen to take longer.
        isUrgent: true,
        requester,
        expiresInSeconds,
      })
    } else {
      const text = mailTexts[language][CODE_MAIL[type]](company, code)
      const to = isOwners && isMailed ? email : null
      const link = services.settings.link(CODE_PAGE[type])
      await queueMail(tx, { to, language, text, link, isUrgent: true, requester, expiresInSeconds })
    }
  })
  services.mail.wake()
  return {}
}

/** What the counts of codes need to know of a call. */
type Counted = Pick<Call, 'services' | 'requester' | 'actor' | 'address'>

/**
 * Counts a code for its mailbox.
 * @param isForAnybody whether the mailbox need not belong to an account, so that a new one counts for the requester
 * @throws {Refusal} TOO_MANY_TRIES
 */
export async function useMailbox(
  call: Counted,
  type: string,
  email: string,
  isForAnybody: boolean,
): Promise<void> {
  const { requester } = call
  const { limits } = call.services
  const mailbox = `${type}:${email}`
  // First what is the requester's own: what is refused there takes nothing from others.
  await limits.use('certify-email', CODES, `${mailbox}:${requester}`)
  // Counted before it is known whether the mailbox is new, so that parallel requests cannot exceed the limit.
  const { whose, counts } = isForAnybody ? recipientsOf(call, type) : { whose: '', counts: [] }
  for (const { name, limit } of counts) await limits.use(name, limit, whose)
  let isNew = false
  try {
    isNew = (await limits.take('certify-email-day', CODES_A_DAY, `${mailbox}:${requester}`)) === 1
  } finally {
    if (!isNew) for (const { name, limit } of counts) await limits.giveBack(name, limit, whose)
  }
  await limits.use('certify-email-all', CODES_OF_ALL, mailbox)
  await limits.use('certify-email-hour', CODES_OF_ALL_AN_HOUR, mailbox)
}

/**
 * Counts a code that is mailed to the owner of an account only, and returns whether it may be mailed. A refusal would show that the
 * mailbox belongs to the account, so the answer is the same without the mail. A request that mails nobody must not use up the limit of
 * those that do: it takes the same statements under a name that nobody reads.
 * @param owner the account; undefined if the request fits none
 */
async function mayMail(
  call: Counted,
  type: string,
  owner: { known_here: boolean } | undefined,
): Promise<boolean> {
  const isKnown = owner?.known_here === true
  const purpose = owner === undefined ? 'nobody' : isKnown ? `known-${type}` : type
  const { whose, counts } = recipientsOf(call, purpose, isKnown ? KNOWN_TIMES : 1)
  let isWithin = true
  for (const { name, limit } of counts) {
    try {
      await call.services.limits.use(name, limit, whose)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      isWithin = false
    }
  }
  return isWithin
}

/** Returns the counts of what one requester has mailed, each purpose on its own. */
function recipientsOf({ actor, address, requester }: Counted, purpose: string, times = 1) {
  const { hour, day } = actor === null ? RECIPIENTS.network : RECIPIENTS.user
  const timesMore = (limit: AddressLimit) => ({ ...limit, points: limit.points * times })
  return {
    whose: actor === null ? address : requester,
    counts: [
      { name: `certify-recipients-${purpose}`, limit: timesMore(hour) },
      { name: `certify-recipients-day-${purpose}`, limit: timesMore(day) },
    ],
  }
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
