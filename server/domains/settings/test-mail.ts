import { refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { sendTestMail as endpoint } from '../../../contract/settings.ts'
import { DEFAULT_ADMIN_EMAIL } from '../../config.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { type Mail, problemOf } from '../../services/mail.ts'
import type { MailServer } from '../../services/mail/mail-server.ts'

/** Limit of test mails per user, shared by `sendTestMail` and `sendMailTemplate`. */
const PER_PERSON = { points: 5, seconds: 10 * 60 }

/** Returns host and port of a mail server; '' without one. */
export const mailHostOf = ({ smtpUrl }: Pick<MailServer, 'smtpUrl'>) =>
  smtpUrl === '' ? '' : new URL(smtpUrl).host

/**
 * Returns the mail server and the sender as one text, to compare them with those of the last test mail.
 * @returns null without a mail server, because no mail is delivered then
 */
export const mailSetup = (server: MailServer): string | null =>
  server.smtpUrl === '' ? null : `${mailHostOf(server)} ${server.from}`

/**
 * Mail services that are sending a test mail. Other test mails are refused until then, so that they do not wait for a
 * mail server that does not respond.
 */
const sending = new WeakSet<Mail>()

/**
 * Sends the test mail to an address, the caller's own by default, with an audit row, and returns the result as
 * `sendToOneself` (rules/settings#test-mail).
 * @throws {Refusal} TOO_MANY_TRIES as `sendToOneself`
 */
export const sendTestMail: Handler<typeof endpoint> = (call, input) => {
  const { actor, language, services } = call
  return sendToOneself(call, input.email, input, () => ({
    language,
    text: mailTexts[language].test(services.settings.now().company, actor.userId),
    link: services.settings.link('/setting/manage'),
  }))
}

/**
 * Sends a mail immediately, without the queue, with an audit row, also if it fails. A success marks the mail step of
 * the setup guide as done, except to the placeholder address.
 * @param to the address; the caller's own if undefined
 * @param detail details of the audit row, in addition to the result
 * @param compose returns the mail
 * @returns the address and the result: sent, written to a file without a mail server (`path`), or failed with the
 * problem
 * @throws {Refusal} TOO_MANY_TRIES beyond PER_PERSON, or while another test mail is being sent
 */
export async function sendToOneself(
  call: Pick<Call<typeof endpoint>, 'db' | 'actor' | 'services' | 'audit'>,
  to: string | undefined,
  detail: Record<string, unknown>,
  compose: () => Pick<Parameters<Mail['sendNow']>[0], 'language' | 'text' | 'link'>,
): Promise<OutputOf<typeof endpoint>> {
  const { db, actor, services } = call
  if (sending.has(services.mail)) refuse('TOO_MANY_TRIES', { retryAfterSeconds: 10 })
  await services.limits.use('test-mail', PER_PERSON, actor.id)
  const email = to ?? (await ownEmail())
  // Another server may have saved a mail server within the last second.
  await services.settings.fresh()
  const setup = mailSetup(services.settings.mailServer())

  if (sending.has(services.mail)) refuse('TOO_MANY_TRIES', { retryAfterSeconds: 10 })
  sending.add(services.mail)
  const outcome = await attempt().finally(() => sending.delete(services.mail))
  await db.transaction().execute(async (tx) => {
    // No one reads mail to the placeholder address.
    if (outcome.state === 'sent' && email !== DEFAULT_ADMIN_EMAIL)
      await tx.updateTable('settings').set({ mailTested: setup }).execute()
    await call.audit(tx, { target: actor.userId, detail: { ...detail, ...outcome }, records: null })
  })
  return { email, ...outcome }

  /** Returns the caller's address. */
  async function ownEmail(): Promise<string> {
    const user = db.selectFrom('users').select('email').where('id', '=', actor.id)
    return (await user.executeTakeFirstOrThrow()).email
  }

  /** Sends the mail. Returns a failure as a result instead of throwing it. */
  async function attempt(): Promise<Omit<OutputOf<typeof endpoint>, 'email'>> {
    try {
      const path = await services.mail.sendNow({ to: email, ...compose() })
      return path === null ? { state: 'sent', path: '', detail: '' } : { state: 'written', path, detail: '' }
    } catch (error) {
      return { state: 'failed', path: '', ...problemOf(error) }
    }
  }
}
