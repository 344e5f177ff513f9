import { CERTIFY_SECONDS, CERTIFY_TYPE, type certifyEmail as endpoint } from '../../../contract/account.ts'
import type { RateLimit } from '../../../contract/endpoint.ts'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { networkOf } from '../../callers/client-address.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { queueMail } from '../../services/mail.ts'
import { makeCode } from './email-verification.ts'
import { findEmailHolder, findUserByEmail } from './queries.ts'

/** Limit of 10 minutes of codes of one type that one requester requests for one email. */
const CODES = { points: 5, seconds: 10 * 60 }
/** Limit of a day of codes of one type that one requester requests for one email. */
const CODES_A_DAY = { points: 20, seconds: 24 * 60 * 60 }
/**
 * Limit of 10 minutes of codes of one type that all requesters together request for one email, so that no mailbox is flooded.
 * It is higher than that of one requester and ends within the hour, so that a stranger cannot keep the owner from a code
 * (design/certification#limits-of-codes).
 */
const CODES_OF_ALL = { points: 20, seconds: 10 * 60 }
/** Limit of an hour of codes of one type that all requesters together request for one email. */
const CODES_OF_ALL_AN_HOUR = { points: 40, seconds: 60 * 60 }
/**
 * Mails that one requester may cause, per purpose (rules/account#certification-recipients). A company may share one network: 60 new
 * colleagues can sign up in an hour, while a stranger cannot mail thousands. A user changes their own email.
 */
const RECIPIENTS = {
  network: { hour: { points: 60, seconds: 60 * 60 }, day: { points: 200, seconds: 24 * 60 * 60 } },
  user: { hour: { points: 5, seconds: 60 * 60 }, day: { points: 10, seconds: 24 * 60 * 60 } },
}
/** Factor of the limits in RECIPIENTS for accounts that have logged in from the requester's network. */
const KNOWN_TIMES = 10

/**
 * Mails a code for a sign-up, a search for the ID or a password reset (rules/account#account-enumeration). The response
 * and the rows written do not reveal whether the email belongs to a user; only the mail differs. If no account matches,
 * nothing is mailed, except for a sign-up; there the holder of the email gets a hint instead.
 * @throws {Refusal} MAIL_UNAVAILABLE; TOO_MANY_TRIES as `countRequestedCode`
 */
export const certifyEmail: Handler<typeof endpoint> = async (call, request) => {
  const { db, services, language, requester } = call
  const { email, certificationType: type, userId } = request
  // Checked first: a code that cannot be sent must not count.
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  const isSignUp = type === CERTIFY_TYPE.signUp
  await countRequestedCode(call, type, email, isSignUp)

  const loginId = type === CERTIFY_TYPE.findId ? '' : (userId ?? '')
  const { settings } = services
  // A sign-up concerns every account that reserves the email; the other purposes concern an active account.
  const holder = isSignUp ? await findEmailHolder(db, email) : undefined
  const found = isSignUp ? undefined : await findUserByEmail(db, email, networkOf(call.address))
  // A password reset needs the ID of the account as well.
  const owner = type === CERTIFY_TYPE.resetPassword && found?.loginId !== loginId ? undefined : found
  const isMailed = isSignUp || (await countMailOfOwner(call, type, owner))
  await db.transaction().execute(async (tx) => {
    const code = await makeCode(tx, { type, email, loginId }, requester)
    const expiresInSeconds = CERTIFY_SECONDS
    if (holder !== undefined) {
      // The requester may not be the holder. The holder gets the hint in their own language.
      await queueMail(tx, {
        to: email,
        ...composeMail(settings, 'alreadySignedUp', holder.language, {}, settings.link('/login')),
        // Urgent like a code, so that the time does not reveal which mail was sent.
        isUrgent: true,
        requester,
        expiresInSeconds,
      })
    } else {
      const to = isMailed ? email : null
      const link = settings.link(CODE_PAGE[type])
      const mail = composeMail(settings, CODE_MAIL[type], language, { code }, link)
      await queueMail(tx, { to, ...mail, isUrgent: true, requester, expiresInSeconds })
    }
  })
  services.mail.wake()
}

/** Part of a call that the counts of codes need. */
type Counted = Pick<Call, 'services' | 'requester' | 'actor' | 'address'>

/**
 * Counts a requested code against the limits of its mailbox, before it is mailed: per requester and for all requesters,
 * and for `isForAnybody` also against the requester's limits of recipients.
 * @param type certification type, which has its own counts
 * @param isForAnybody true if the email may belong to no account. Its first code of the day then counts as a new
 * recipient of the requester.
 * @throws {Refusal} TOO_MANY_TRIES if a limit is reached
 */
export async function countRequestedCode(
  call: Counted,
  type: string,
  email: string,
  isForAnybody: boolean,
): Promise<void> {
  const { requester } = call
  const { limits } = call.services
  const mailbox = `${type}:${email}`
  // The requester's own limit first: a call that exceeds it must not count for other requesters.
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
 * Counts a code that only the owner of an account may get. Returns whether it may be mailed: there is an owner, and the
 * requester's limits of recipients are not reached. Does not refuse the call, because a refusal would reveal that the
 * account exists. A request without an owner runs the same statements on a separate count.
 * @param owner the account; undefined if the request matches none
 */
async function countMailOfOwner(
  call: Counted,
  type: string,
  owner: { knownHere: boolean } | undefined,
): Promise<boolean> {
  const isKnown = owner?.knownHere === true
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
  return isWithin && owner !== undefined
}

/**
 * Returns the limits on the recipients of a requester, with the key of their counts. They are separate for each purpose.
 * @param times factor of the limits
 */
function recipientsOf({ actor, address, requester }: Counted, purpose: string, times = 1) {
  const { hour, day } = actor === null ? RECIPIENTS.network : RECIPIENTS.user
  const timesMore = (limit: RateLimit) => ({ ...limit, points: limit.points * times })
  return {
    whose: actor === null ? address : requester,
    counts: [
      { name: `certify-recipients-${purpose}`, limit: timesMore(hour) },
      { name: `certify-recipients-day-${purpose}`, limit: timesMore(day) },
    ],
  }
}

/** Mail template of the code of each type. */
const CODE_MAIL = {
  [CERTIFY_TYPE.signUp]: 'signUpCode',
  [CERTIFY_TYPE.findId]: 'findIdCode',
  [CERTIFY_TYPE.resetPassword]: 'resetPasswordCode',
} as const

/** Page where the user requests a code of a type. */
const CODE_PAGE = {
  [CERTIFY_TYPE.signUp]: '/signup',
  [CERTIFY_TYPE.findId]: '/find/id',
  [CERTIFY_TYPE.resetPassword]: '/reset/pw',
} as const
