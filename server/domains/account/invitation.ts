import {
  LINK,
  type acceptInvitation as endpoint,
  type readLink as readEndpoint,
} from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { accountMails } from '../../../contract/messages/mails-accounts.ts'
import type { Tx } from '../../db/database.ts'
import type { Handler, Services } from '../../http/handler.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { queueMails } from '../../services/mail.ts'
import { weaknessOf } from '../../services/password.ts'
import { findLink, makeLinks, tryLink, useLink } from './email-links.ts'
import { saveFirstPassword } from './queries.ts'
import { endAccess } from './sessions.ts'

/** User to whom a mail about their account goes. */
export interface InvitedUser {
  /** users.id */
  id: string
  loginId: string
  name: string
  email: string
  language: Language
}

/**
 * Queues a mail to each of these users with a new link to choose the first password (rules/account#invitation). Their
 * earlier invitations end. The caller wakes the mail job.
 */
export async function sendInvitations(
  tx: Tx,
  { settings }: Pick<Services, 'settings'>,
  accounts: readonly InvitedUser[],
  requester: string,
): Promise<void> {
  const tokens = await makeLinks(tx, LINK.invitation, accounts)
  const { company } = settings.now()
  await queueMails(
    tx,
    accounts.map(({ loginId, name, email, language }, index) => {
      const token = tokens[index] ?? ''
      const link = settings.link(`/invitation#${token}`)
      const mail =
        link === null
          ? { language, text: accountMails[language].invitation(company, loginId, token), link }
          : composeMail(settings, 'invitation', language, { userId: loginId, name }, link)
      return { to: email, ...mail, requester }
    }),
  )
}

/**
 * Returns the purpose of an email link, the ID of its account, and the email that it is about (rules/account#mailed-links).
 * Takes no attempt.
 * @throws {Refusal} LINK_INVALID as `findLink`
 */
export const readLink: Handler<typeof readEndpoint> = async ({ db }, { token }) => {
  const { kind, userId, email, newEmail } = await findLink(db, token)
  return { kind, userId, email: newEmail ?? email }
}

/**
 * Sets the first password of the link's account and ends its access. The user then logs in as usual, so that approval
 * and validity period are checked. Uses the link up.
 * @throws {Refusal} LINK_INVALID as `tryLink` and `useLink`; PASSWORD_COMMON, PASSWORD_PERSONAL
 */
export const acceptInvitation: Handler<typeof endpoint> = async (call, { token, password }) => {
  const { db, services } = call
  const link = await tryLink(db, LINK.invitation, token)
  const { id, userId } = link
  const weakness = await weaknessOf(password, link)
  if (weakness !== null) refuse(weakness)
  const hash = await services.passwords.hash(password)
  await db.transaction().execute(async (tx) => {
    await useLink(tx, link)
    await saveFirstPassword(tx, id, userId, hash)
    await endAccess(tx, id)
    await call.audit(tx, { target: userId, actorId: id, records: [`user/${id}`] })
  })
  return { userId }
}
