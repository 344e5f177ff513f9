import { refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { sendTestMail as endpoint } from '../../../contract/settings.ts'
import { DEFAULT_ADMIN_EMAIL } from '../../config.ts'
import type { Handler } from '../../http/handler.ts'
import { type Mail, problemOf } from '../../services/mail.ts'
import type { MailServer } from '../../services/mail/mail-server.ts'

/** Limit of test mails per user. */
const PER_PERSON = { points: 5, seconds: 10 * 60 }

/** Returns host and port of a mail server; '' without one. */
export const mailHostOf = ({ smtpUrl }: Pick<MailServer, 'smtpUrl'>) =>
  smtpUrl === '' ? '' : new URL(smtpUrl).host

/**
 * Returns the mail server and the sender, to compare them with those of the last test mail.
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
 * Sends a mail immediately, without the queue, and returns the result (rules/settings#test-mail). A success marks the
 * mail step of the setup guide as done.
 */
export const sendTestMail: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services, language } = call
  if (sending.has(services.mail)) refuse('TOO_MANY_TRIES', { retryAfterSeconds: 10 })
  await services.limits.use('test-mail', PER_PERSON, actor.id)
  const email = input.email ?? (await ownEmail())
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
    await call.audit(tx, { target: actor.userId, detail: { ...input, ...outcome }, records: null })
  })
  return { email, ...outcome }

  async function ownEmail(): Promise<string> {
    const user = db.selectFrom('users').select('email').where('id', '=', actor.id)
    return (await user.executeTakeFirstOrThrow()).email
  }

  async function attempt(): Promise<Omit<OutputOf<typeof endpoint>, 'email'>> {
    const { settings, mail } = services
    const text = mailTexts[language].test(settings.now().company, actor.userId)
    try {
      const path = await mail.sendNow({
        to: email,
        language,
        text,
        link: settings.link('/setting/manage'),
      })
      return path === null ? { state: 'sent', path: '', detail: '' } : { state: 'written', path, detail: '' }
    } catch (error) {
      return { state: 'failed', path: '', ...problemOf(error) }
    }
  }
}
