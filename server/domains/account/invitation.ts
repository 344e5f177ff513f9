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
import { findLink, makeLinks, tryLink, consumeLink } from './email-links.ts'
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
 * Returns the purpose of an email link (rules/account#mailed-links), the login ID of its account, and the new email, or
 * the account's for an invitation. Takes no attempt.
 * @throws {Refusal} LINK_INVALID as `findLink`
 */
export const readLink: Handler<typeof readEndpoint> = async ({ db }, { token }) => {
  const { kind, userId, email, newEmail } = await findLink(db, token)
  return { kind, userId, email: newEmail ?? email }
}

/**
 * Sets the first password of the link's account, ends its access (`endAccess`), uses the link up, and writes an audit row.
 * Begins no session: the user then logs in as usual, so that approval and validity period are checked.
 * @returns the login ID
 * @throws {Refusal} LINK_INVALID as `tryLink` and `consumeLink`; PASSWORD_COMMON, PASSWORD_PERSONAL
 */
export const acceptInvitation: Handler<typeof endpoint> = async (call, { token, password }) => {
  const { db, services } = call
  const link = await tryLink(db, LINK.invitation, token)
  const { id, userId } = link
  const weakness = await weaknessOf(password, link)
  if (weakness !== null) refuse(weakness)
  const hash = await services.passwords.hash(password)
  await db.transaction().execute(async (tx) => {
    await consumeLink(tx, link)
    await saveFirstPassword(tx, id, userId, hash)
    await endAccess(tx, id)
    await call.audit(tx, { target: userId, actorId: id, records: [`user/${id}`] })
  })
  return { userId }
}
