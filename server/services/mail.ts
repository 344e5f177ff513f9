import type { FastifyBaseLogger } from 'fastify'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { messageOf } from '../caught-errors.ts'
import type { MailServer } from './mail/mail-server.ts'
import { renderMail } from './mail/render.ts'
import {
  type DueMail,
  markMailFailed,
  postponeMail,
  type QueuedMail,
  removeMail,
  takeDue,
} from './mail/queue.ts'
import {
  CONNECTIONS,
  isAboutThisMail,
  isRefusal,
  type MailTransport,
  openMailTransport,
} from './mail/transport.ts'

export { BY_PORTAL, byPerson, queueMail, queueMails, TO_MANY } from './mail/queue.ts'
export { problemOf } from './mail/delivery-error.ts'
export { CONNECTIONS } from './mail/transport.ts'

/** Sender of the mails that are queued in the table `mails`; several servers share one queue. */
export interface Mail {
  /** Sends queued mails soon. Call it after the transaction that queued one. */
  wake(): void
  /** Returns whether the mail server is unavailable, so that a code would not arrive in time. */
  isAway(): boolean
  /** Time at which this process last handed over a mail; null if it has not. */
  lastSentAt(): Date | null
  /**
   * Sends the next mail of the queue that is due, urgent ones first. Other mails never use all connections. A failure is logged
   * and the mail postponed.
   * @param signal ends the attempt; the mail is then immediately due for the next sender
   * @returns whether there was a mail; false also while the mail server is unavailable
   */
  sendNext(signal: AbortSignal): Promise<boolean>
  /**
   * Sends a mail immediately, without the queue, within 10 seconds.
   * @returns the path of the file that was written, without a mail server; null once the mail server has accepted the mail
   * @throws the error of the mail server or the disk (`problemOf`)
   */
  sendNow(mail: Pick<QueuedMail, 'language' | 'text' | 'link'> & { to: string }): Promise<string | null>
  /** Closes the connections to the mail server. */
  close(): void
}

/** Input of the mail service. */
export interface MailParts {
  pool: pg.Pool
  /** DATA_DIR, for the outbox. */
  dataDir: string
  /** Returns the current mail server. If it has changed, the next mail uses the new one. */
  server: () => MailServer
  logger: FastifyBaseLogger
  /** Prints the line about a written .eml file, for the person at the terminal. */
  say: (line: string) => void
  /** Requests a call of `sendNext` soon. */
  wake: () => void
  /** Time limit of sending a mail, in milliseconds: less than the lease of `takeDue`. */
  sendMs?: number
}

/** Milliseconds that a user waits for a mail that is sent without the queue. */
const NOW_MS = 10_000

/**
 * Returns the seconds until a postponed mail is tried again: 2, 4, 8 … up to five minutes.
 * @param tries number of attempts so far
 */
const backOff = (tries: number) => Math.min(300, 2 ** tries)

/**
 * Opens the sender of mails; nothing is sent until `sendNext` or `sendNow` is called. While the mail server is unavailable,
 * mails stay queued and no attempt is counted. Its outage, the end of that and each failed mail are logged.
 */
export function openMail({ pool, dataDir, server, logger, say, wake, sendMs = 90_000 }: MailParts): Mail {
  let opened: { smtpUrl: string; transport: MailTransport } | undefined
  let isAway = false
  let sentAt: Date | null = null
  /** Places held by callers of `sendNext` whose mail may be one that is not urgent: at most CONNECTIONS - 1. */
  let heldPlaces = 0
  let runningCheck: Promise<string | null> | undefined

  /**
   * Returns the transport to the current mail server. If the server has changed, closes the earlier transport and no longer
   * counts the server as unavailable.
   */
  function transport(): MailTransport {
    const { smtpUrl } = server()
    if (opened?.smtpUrl !== smtpUrl) {
      // Emails that are being sent end on their connection.
      opened?.transport.close()
      opened = {
        smtpUrl,
        transport: openMailTransport(smtpUrl, dataDir, (path) => say(`A mail was written to ${path}`)),
      }
      isAway = false
    }
    return opened.transport
  }

  /** Returns the sender's address, and a message ID of its domain. */
  function senderOf(id: string) {
    const { from } = server()
    return { from, messageId: `<${id}@${from.replace(/^.*@/s, '').replace('>', '').trim()}>` }
  }

  /**
   * Sends the next mail that is due.
   * @returns false if none is, or while the mail server is unavailable
   */
  async function sendNext(signal: AbortSignal): Promise<boolean> {
    // While the server is unavailable, mails stay queued without an attempt until a check reaches it again.
    if (isAway && !(await checkServer(signal))) return false
    // However slow the mail server is, one connection stays free for codes.
    const onlyUrgent = heldPlaces >= CONNECTIONS - 1
    let holdsPlace = !onlyUrgent
    if (holdsPlace) heldPlaces += 1
    const releasePlace = () => {
      if (holdsPlace) heldPlaces -= 1
      holdsPlace = false
    }
    try {
      const mail = await takeDue(pool, onlyUrgent)
      if (mail === undefined) return false
      if (mail.urgent) releasePlace()
      await sendOne(mail, signal)
      return true
    } finally {
      releasePlace()
    }
  }

  /** Checks whether the mail server can be reached, and stores and logs a change. Concurrent callers share one check. */
  async function checkServer(signal: AbortSignal): Promise<boolean> {
    // One check for all concurrent callers, because of two results the older one could arrive last.
    runningCheck ??= transport()
      .whyAway(signal)
      .finally(() => (runningCheck = undefined))
    const reason = await runningCheck
    if (signal.aborted) return false
    if (reason !== null && !isAway) logger.error({ reason }, 'emails cannot be sent; they stay queued')
    if (reason === null && isAway) logger.warn('emails can be sent again')
    isAway = reason !== null
    return !isAway
  }

  /** Sends a mail of the queue, and deletes it if it was sent or has expired. */
  async function sendOne(mail: DueMail, signal: AbortSignal): Promise<void> {
    if (mail.is_expired) return removeMail(pool, mail)
    if (mail.recipient === null) {
      // Checks the server as a mail to a user would: an outage must not tell which email address is known.
      await checkServer(signal)
      return removeMail(pool, mail)
    }
    try {
      await transport().send(
        {
          ...senderOf(`${mail.id}.${mail.queued_at.getTime()}`),
          to: mail.recipient,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
        },
        AbortSignal.any([signal, AbortSignal.timeout(sendMs)]),
      )
    } catch (error) {
      return putOff(mail, error, signal)
    }
    sentAt = new Date()
    await removeMail(pool, mail)
  }

  /** Postpones a mail that could not be sent, or marks it as failed if the server has rejected it for good. */
  async function putOff(mail: DueMail, error: unknown, signal: AbortSignal): Promise<void> {
    const reason = messageOf(error)
    if (signal.aborted) return postponeMail(pool, mail, 0, reason)
    if (isRefusal(error) || mail.is_hopeless) {
      logger.error({ mailId: mail.id, reason }, 'an email was rejected permanently')
      return markMailFailed(pool, mail, reason)
    }
    logger.warn(
      { mailId: mail.id, reason, tries: mail.tries },
      'an email could not be sent and will be retried',
    )
    // One failed mail does not mean that the server is unavailable, so check it.
    const isServerThere = isAboutThisMail(error) || (await checkServer(signal))
    return postponeMail(pool, mail, isServerThere ? backOff(mail.tries) : 1, reason)
  }

  /**
   * Sends a mail without the queue.
   * @returns the path of the written file; null once the mail server has accepted the mail
   */
  async function sendNow({ to, language, text, link }: Parameters<Mail['sendNow']>[0]) {
    const words = renderMail(text, language, link)
    return transport().send(
      { ...senderOf(randomUUID()), to, subject: text.subject, ...words },
      AbortSignal.timeout(NOW_MS),
    )
  }

  return {
    sendNow,
    wake,
    isAway: () => isAway,
    lastSentAt: () => sentAt,
    sendNext,
    close: () => opened?.transport.close(),
  }
}
