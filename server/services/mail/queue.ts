import type { Kysely } from 'kysely'
import type { MailText } from '../../../contract/messages/mails.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { Database } from '../../db/types.ts'
import { renderMail } from './render.ts'

/** A mail to be sent once the transaction that queues it is committed. */
export interface QueuedMail {
  /** null: rendered and written like every other, and sent to nobody. */
  to: string | null
  language: Language
  text: MailText
  /** After so many seconds the mail is of no use and is dropped. */
  expiresInSeconds?: number
}

/** Queues a mail in the transaction of what it is about: a crash between the two loses nothing. */
export async function queueMail(tx: Kysely<Database>, mail: QueuedMail): Promise<void> {
  const { text, html } = renderMail(mail.text, mail.language)
  await tx
    .insertInto('mails')
    .values({
      recipient: mail.to,
      subject: mail.text.subject,
      text,
      html,
      last_error: null,
      expires_at:
        mail.expiresInSeconds === undefined ? null : new Date(Date.now() + mail.expiresInSeconds * 1000),
    })
    .execute()
}
