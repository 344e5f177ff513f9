import type { Transaction } from 'kysely'
import { type FactorMails, factorMailTexts } from '../../../contract/messages/mails-factors.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import { queueMail } from '../../services/mail.ts'
import type { FactorOwner } from './factors.ts'

/**
 * Queues a mail to a user about a change of their second factors, trusted devices or single sign-on links, in their
 * language and in the transaction of the change (rules/account#second-factor-mails). The caller wakes the mail job.
 * @param owner the user; with `codesLeft` for a text that states how many recovery codes are left
 * @param what kind of the change, which has its own text; `passkeyName`, `device` and `providerName` are what the text
 * names
 */
export async function tellOfFactor(
  tx: Transaction<Database>,
  { services, requester }: Pick<Call, 'services' | 'requester'>,
  owner: Pick<FactorOwner, 'loginId' | 'email' | 'language'> & Partial<FactorOwner>,
  what: keyof FactorMails,
  {
    passkeyName = '',
    device = '',
    providerName = '',
  }: Partial<Record<'passkeyName' | 'device' | 'providerName', string>> = {},
): Promise<void> {
  const { loginId: userId, email, language, codesLeft: left = 0 } = owner
  const { company } = services.settings.now()
  const said = { company, userId, time: koreanMinute(), left, passkeyName, device, providerName }
  const text = factorMailTexts[language][what](said)
  await queueMail(tx, { to: email, language, text, link: services.settings.link('/login'), requester })
}

/** Returns the current time in Asia/Seoul for a mail: '2026-11-21 09:30'. */
export function koreanMinute(): string {
  return new Date().toLocaleString('sv-SE', {
    timeZone: 'Asia/Seoul',
    dateStyle: 'short',
    timeStyle: 'short',
  })
}
