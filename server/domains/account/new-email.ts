import { sql } from 'kysely'
import {
  CERTIFY_SECONDS,
  type certifyNewEmail as certifyEndpoint,
  type changeEmail as changeEndpoint,
  type confirmEmail as confirmEndpoint,
  LINK,
} from '../../../contract/account.ts'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import { accountMails } from '../../../contract/messages/mails-accounts.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Tx } from '../../db/database.ts'
import type { Call, Handler, Services } from '../../http/handler.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { byPerson, queueMail, queueMails } from '../../services/mail.ts'
import { checkCode, makeCode, consumeCode } from './email-verification.ts'
import { countRequestedCode } from './request-verification.ts'
import { type InvitedUser, sendInvitations } from './invitation.ts'
import { endCorrection, hasLink, makeLinks, tryLink, consumeLink } from './email-links.ts'
import { findEmailHolder } from './queries.ts'
import { endAccess } from './sessions.ts'

/** Certification type of the caller's new email. No public call accepts it. */
const TYPE = 'TYP004'

/**
 * Mails a code to the new email of the caller (rules/account#own-e-mail). As in a sign-up, the response does not reveal
 * whether another user has the email: its owner gets a hint by mail instead.
 * @throws {Refusal} EMAIL_TAKEN only for the caller's current email; MAIL_UNAVAILABLE; TOO_MANY_TRIES as `countRequestedCode`
 */
export const certifyNewEmail: Handler<typeof certifyEndpoint> = async (call, { email }) => {
  const { db, actor, services, language } = call
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  await countRequestedCode(call, TYPE, email, true)
  const { settings } = services
  await db.transaction().execute(async (tx) => {
    const owner = await findEmailHolder(tx, email)
    if (owner?.id === actor.id) refuse('EMAIL_TAKEN')
    const code = await makeCode(tx, { type: TYPE, email, loginId: actor.userId }, call.requester)
    const mail =
      owner === undefined
        ? composeMail(settings, 'newEmailCode', language, { code }, settings.link('/mypage'))
        : {
            language: owner.language,
            text: accountMails[owner.language].emailInUse(settings.now().company),
            link: settings.link('/login'),
          }
    await queueMail(tx, {
      to: email,
      ...mail,
      expiresInSeconds: CERTIFY_SECONDS,
      isUrgent: true,
      requester: call.requester,
    })
  })
  services.mail.wake()
}

/**
 * Changes the caller's email to the one that the code was sent to, as `saveEmail`, with an audit row. Deletes the link
 * of another email that an administrator has requested for the caller.
 * @throws {Refusal} CERTIFICATION_FAILED for a wrong code, and if another user has taken the email since
 */
export const changeEmail: Handler<typeof changeEndpoint> = async (call, { email, certificationCode }) => {
  const { db, actor, services } = call
  const subject = { type: TYPE, email, loginId: actor.userId }
  const certification = await checkCode(db, subject, certificationCode, call.requester)
  await db.transaction().execute(async (tx) => {
    await consumeCode(tx, certification)
    // The error must not reveal that the email belongs to another user meanwhile.
    const before = await saveEmail(tx, call, actor.id, email, 'CERTIFICATION_FAILED')
    await endCorrection(tx, actor.id)
    await call.audit(tx, {
      target: actor.userId,
      detail: { email: { before, after: email } },
      records: [`user/${actor.id}`],
    })
  })
  services.mail.wake()
}

/**
 * Queues a mail with a link to another email, whose owner confirms it there for an account, and a notice of this to the
 * current email (rules/users#e-mail-corrected). The caller has locked the account, and wakes the mail job.
 * @param requestedBy users.id of the administrator: the link is valid only while they could request it
 */
export async function askToConfirmEmail(
  tx: Tx,
  { settings }: Pick<Services, 'settings'>,
  { id, loginId, email, language }: Omit<InvitedUser, 'name'>,
  { newEmail, requestedBy }: { newEmail: string; requestedBy: string },
): Promise<void> {
  const [token = ''] = await makeLinks(tx, LINK.email, [{ id, newEmail, requestedBy }])
  const { company } = settings.now()
  const requester = byPerson(requestedBy)
  const texts = accountMails[language]
  const link = settings.link(`/email#${token}`)
  const question = texts.confirmEmail(company, loginId, link === null ? token : null)
  await queueMails(tx, [
    { to: newEmail, language, text: question, link, requester },
    { to: email, language, text: texts.emailRequested(company, loginId, newEmail), link: null, requester },
  ])
}

/**
 * Changes an account's email to the one that its owner confirms by the email link, as `saveEmail`, with an audit row. A
 * user with an invitation, also an expired one, gets a new one at the new email.
 * @throws {Refusal} LINK_INVALID, also if another user has taken the email since
 */
export const confirmEmail: Handler<typeof confirmEndpoint> = async (call, { token }) => {
  const { db, services } = call
  const link = await tryLink(db, LINK.email, token)
  const { newEmail } = link
  if (newEmail === null) return refuse('LINK_INVALID')
  await db.transaction().execute(async (tx) => {
    await consumeLink(tx, link)
    call.touches([link.id])
    const before = await saveEmail(tx, call, link.id, newEmail, 'LINK_INVALID')
    // The invitation went to the wrong email: send another one to the new email.
    if (await hasLink(tx, link.id, LINK.invitation)) {
      const invited = { ...link, loginId: link.userId, email: newEmail }
      await sendInvitations(tx, services, [invited], call.requester)
    }
    await call.audit(tx, {
      target: link.userId,
      actorId: link.id,
      detail: { email: { before, after: newEmail } },
      records: [`user/${link.id}`],
    })
  })
  services.mail.wake()
}

/**
 * Writes an account's email and mails the previous one about it. Ends a temporary password that was mailed there, and
 * then also all sessions: its reader need not be the owner. The caller writes the audit row.
 * @param taken error if another user has the email
 * @returns the previous email
 * @throws {Refusal} `taken`
 */
export async function saveEmail(
  tx: Tx,
  { services: { settings }, requester }: Pick<Call, 'services' | 'requester'>,
  id: string,
  email: string,
  taken: ErrorCode,
): Promise<string> {
  const account = await mapConstraintErrors({ users_email_active: taken }, () =>
    tx
      .updateTable('users as u')
      .from((eb) =>
        eb.selectFrom('users').select(['id', 'email']).where('id', '=', id).forNoKeyUpdate().as('before'),
      )
      .whereRef('u.id', '=', 'before.id')
      .set({
        email,
        temporaryUntil: sql<Date>`case when u.temporary_until is not null then now() end`,
        updatedAt: sql`now()`,
      })
      .returning(['u.loginId as userId', 'before.email', 'u.language', 'u.temporaryUntil'])
      .executeTakeFirstOrThrow(),
  )
  if (account.temporaryUntil !== null) await endAccess(tx, id)
  const text = accountMails[account.language].emailChanged(settings.now().company, account.userId, email)
  await queueMail(tx, {
    to: account.email,
    language: account.language,
    text,
    link: settings.link('/login'),
    requester,
  })
  return account.email
}
