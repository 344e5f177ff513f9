import type { Transaction } from 'kysely'
import {
  LINK,
  type acceptInvitation as endpoint,
  type readLink as readEndpoint,
} from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { accountMails } from '../../../contract/messages/mails-accounts.ts'
import type { Database } from '../../db/types.ts'
import type { Handler, Services } from '../../http/handler.ts'
import { queueMails } from '../../services/mail.ts'
import { weaknessOf } from '../../services/password.ts'
import { findLink, makeLinks, tryLink, useLink } from './links.ts'
import { saveFirstPassword } from './queries.ts'
import { endAccess } from './sessions.ts'

/** Somebody who is invited. */
export interface Invited {
  /** users.id */
  id: string
  userId: string
  email: string
  language: Language
}

/** Mails each of these accounts' owners a link to make the first password, however many (rules/account#invitation). */
export async function sendInvitations(
  tx: Transaction<Database>,
  { settings }: Pick<Services, 'settings'>,
  accounts: readonly Invited[],
  requester: string,
): Promise<void> {
  const tokens = await makeLinks(tx, LINK.invitation, accounts)
  const { company } = settings.now()
  await queueMails(
    tx,
    accounts.map(({ userId, email, language }, index) => {
      const token = tokens[index] ?? ''
      const link = settings.link(`/invitation#${token}`)
      const text = accountMails[language].invitation(company, userId, link === null ? token : null)
      return { to: email, language, text, link, requester }
    }),
  )
}

/** What a mailed link is for (rules/account#mailed-links). */
export const readLink: Handler<typeof readEndpoint> = async ({ db }, { token }) => {
  const { kind, userId, email, newEmail } = await findLink(db, token)
  return { kind, userId, email: newEmail ?? email }
}

/** Makes the first password; whoever has it logs in like everybody, so that approval and validity are looked at. */
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
    await call.audit(tx, { target: userId, actorId: id })
  })
  return { userId }
}
