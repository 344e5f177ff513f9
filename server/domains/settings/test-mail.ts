import { refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { sendTestMail as endpoint } from '../../../contract/settings.ts'
import { type Config, DEFAULT_ADMIN_EMAIL } from '../../config.ts'
import type { Handler } from '../../http/handler.ts'
import { problemOf } from '../../services/mail.ts'

/** Number of test mails that a user may send in a number of seconds. */
const PER_PERSON = { points: 5, seconds: 10 * 60 }

/** Returns the mail server and the sender of a test mail. Without SMTP_URL no mail is delivered. */
export const mailSetup = ({ secrets, mail }: Config): string | null =>
  secrets.smtpUrl === '' ? null : `${new URL(secrets.smtpUrl).host} ${mail.from}`

/** Whether this process is sending one: the next waits for no mail server that does not answer. */
let isSending = false

/** Sends a mail immediately, without the queue, and returns the result (rules/settings#test-mail). */
export const sendTestMail: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services, language } = call
  if (isSending) refuse('TOO_MANY_TRIES', { retryAfterSeconds: 10 })
  await services.limits.use('test-mail', PER_PERSON, actor.id)
  const email = input.email ?? (await ownEmail())

  if (isSending) refuse('TOO_MANY_TRIES', { retryAfterSeconds: 10 })
  isSending = true
  const outcome = await attempt().finally(() => (isSending = false))
  await db.transaction().execute(async (tx) => {
    // No one reads mail to the placeholder address.
    if (outcome.state === 'sent' && email !== DEFAULT_ADMIN_EMAIL)
      await tx
        .updateTable('settings')
        .set({ mail_tested: mailSetup(services.config) })
        .execute()
    await call.audit(tx, { target: actor.userId, detail: { ...input, ...outcome } })
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
