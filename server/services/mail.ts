import type { FastifyBaseLogger } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { type DueMail, giveMailUp, postponeMail, removeMail, takeDue } from './mail/queue.ts'
import { CONNECTIONS, isAboutThisMail, isRefusal, messageOf, openMailTransport } from './mail/transport.ts'

export { queueMail, queueMails } from './mail/queue.ts'

/** Sends what is queued in the table `mails`, now and again; several servers share one queue. */
export interface Mail {
  /** There may be something to send: called after the transaction that queued it. */
  wake(): void
  /** Mails are not taken at the moment, so a code would not arrive in time. */
  isAway(): boolean
  /** Lets what is being sent end, but not for long; what is left is sent by the next who looks. */
  stop(): Promise<void>
}

/** How patient a sender is; tests cannot wait as long as a deployment can. */
export interface MailTiming {
  pollMs: number
  /** A mail takes no longer than this, whatever the server does: less than the lease of `takeDue`. */
  sendMs: number
  /** How long `stop` waits for mails that are being sent. */
  stopMs: number
}

const TIMING: MailTiming = { pollMs: 5_000, sendMs: 90_000, stopMs: 5_000 }

/** Seconds until a mail that was put off is tried again: 2, 4, 8 … up to five minutes. */
const backOff = (tries: number) => Math.min(300, 2 ** tries)

/**
 * Starts sending.
 * @param say prints the line about a written .eml file, for the person at the terminal
 */
export function startMail(
  pool: pg.Pool,
  config: Config,
  logger: FastifyBaseLogger,
  say: (line: string) => void,
  timing: MailTiming = TIMING,
): Mail {
  const transport = openMailTransport(config, (path) => say(`A mail was written to ${path}`))
  const host = config.mail.from.replace(/^.*@/s, '').replace(/>?\s*$/, '')
  const senders = new Set<Promise<void>>()
  const giveUp = new AbortController()
  let isAway = false
  const stopping = new AbortController()
  let again = false

  function wake(): void {
    if (stopping.signal.aborted) return
    if (senders.size >= CONNECTIONS) {
      again = true
      return
    }
    const sender = sendAllDue()
      .catch((error: unknown) => logger.error({ err: error }, 'the mail queue cannot be read'))
      .finally(() => senders.delete(sender))
    senders.add(sender)
  }

  async function sendAllDue(): Promise<void> {
    while (!stopping.signal.aborted) {
      // While the server is away its mails wait, untried, until somebody has seen it again.
      if (isAway && !(await seesServer())) return
      again = false
      const mail = await takeDue(pool)
      if (mail !== undefined) await sendOne(mail)
      else if (!again) return
    }
  }

  async function seesServer(): Promise<boolean> {
    const reason = await transport.whyAway(giveUp.signal)
    if (giveUp.signal.aborted) return false
    if (reason !== null && !isAway) logger.error({ reason }, 'mails cannot be sent at the moment')
    if (reason === null && isAway) logger.warn('mails can be sent again')
    isAway = reason !== null
    return !isAway
  }

  async function sendOne(mail: DueMail): Promise<void> {
    if (mail.is_expired) return removeMail(pool, mail)
    if (mail.recipient === null) {
      // Looks at the server as a mail for somebody would: whether it is away must not tell who is known.
      await seesServer()
      return removeMail(pool, mail)
    }
    try {
      await transport.send(
        {
          messageId: `<${mail.id}.${mail.queued_at.getTime()}@${host}>`,
          to: mail.recipient,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
        },
        AbortSignal.any([giveUp.signal, AbortSignal.timeout(timing.sendMs)]),
      )
    } catch (error) {
      return putOff(mail, error)
    }
    await removeMail(pool, mail)
  }

  async function putOff(mail: DueMail, error: unknown): Promise<void> {
    const reason = messageOf(error)
    if (giveUp.signal.aborted) return postponeMail(pool, mail, 0, reason)
    if (isRefusal(error) || mail.is_hopeless) {
      logger.error({ mailId: mail.id, reason }, 'a mail was refused for good')
      return giveMailUp(pool, mail, reason)
    }
    logger.warn({ mailId: mail.id, reason, tries: mail.tries }, 'a mail could not be sent and is tried again')
    // One mail that fails is no reason to send nobody else away: the server itself is asked.
    const isServerThere = isAboutThisMail(error) || (await seesServer())
    return postponeMail(pool, mail, isServerThere ? backOff(mail.tries) : 1, reason)
  }

  const timer = setInterval(wake, timing.pollMs)
  timer.unref()
  wake()
  return {
    wake,
    isAway: () => isAway,
    async stop() {
      stopping.abort()
      clearInterval(timer)
      const waiting = new AbortController()
      await Promise.race([
        Promise.all(senders),
        delay(timing.stopMs, undefined, { signal: waiting.signal }).catch(() => {}),
      ])
      waiting.abort()
      giveUp.abort()
      await Promise.all(senders)
      transport.close()
    },
  }
}
