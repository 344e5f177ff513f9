import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { isRefusal, isUnreachable, type MailTransport, openMailTransport } from './mail/transport.ts'

export { queueMail } from './mail/queue.ts'

/** Sends what is queued in the table `mails`, now and again; several servers share one queue. */
export interface Mail {
  /** There may be something to send: called after the transaction that queued it. */
  wake(): void
  /** The mail server could not be reached at the last try, so a code would not arrive in time. */
  isAway(): boolean
  stop(): Promise<void>
}

interface DueMail {
  id: string
  recipient: string | null
  subject: string
  text: string
  html: string
  tries: number
  is_expired: boolean
}

const POLL_MS = 5_000
/** A sender that died holds its mail no longer than this. */
const LEASE = '2 minutes'
const GIVE_UP_AFTER_TRIES = 60

/**
 * Starts sending.
 * @param say prints the line about a written .eml file, for the person at the terminal
 */
export function startMail(
  pool: pg.Pool,
  config: Config,
  logger: FastifyBaseLogger,
  say: (line: string) => void,
): Mail {
  const transport = openMailTransport(config, (path) => say(`A mail was written to ${path}`))
  let isAway = false
  let isStopped = false
  let running: Promise<void> | undefined
  let again = false

  async function sendAllDue(): Promise<void> {
    for (;;) {
      const mail = isStopped ? undefined : await takeDue(pool)
      if (mail === undefined) return
      isAway = await sendOne(pool, transport, mail, logger)
      // The others would fail the same way; they are due again in a moment.
      if (isAway) return
    }
  }

  function wake(): void {
    if (isStopped) return
    again = true
    running ??= (async () => {
      while (again) {
        again = false
        await sendAllDue().catch((error: unknown) =>
          logger.error({ err: error }, 'the mail queue cannot be read'),
        )
      }
    })().finally(() => {
      running = undefined
    })
  }

  const timer = setInterval(wake, POLL_MS)
  timer.unref()
  wake()
  return {
    wake,
    isAway: () => isAway,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
      transport.close()
    },
  }
}

async function takeDue(pool: pg.Pool): Promise<DueMail | undefined> {
  const { rows } = await pool.query<DueMail>(`
    update mails set next_try_at = now() + interval '${LEASE}', tries = tries + 1
    where id = (
      select id from mails where failed_at is null and next_try_at <= now()
      order by next_try_at limit 1 for update skip locked
    )
    returning id, recipient, subject, text, html, tries, coalesce(expires_at < now(), false) as is_expired`)
  return rows[0]
}

/** @returns whether the mail server is away */
async function sendOne(
  pool: pg.Pool,
  transport: MailTransport,
  mail: DueMail,
  logger: FastifyBaseLogger,
): Promise<boolean> {
  const remove = () => pool.query('delete from mails where id = $1', [mail.id])
  if (mail.recipient === null || mail.is_expired) {
    await remove()
    return false
  }
  try {
    await transport.send({ to: mail.recipient, subject: mail.subject, text: mail.text, html: mail.html })
    await remove()
    return false
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isRefusal(error) || mail.tries >= GIVE_UP_AFTER_TRIES) {
      logger.error({ mailId: mail.id, reason }, 'a mail was refused for good')
      await pool.query(
        `update mails set failed_at = now(), last_error = $2, text = '', html = '' where id = $1`,
        [mail.id, reason],
      )
      return false
    }
    logger.warn({ mailId: mail.id, reason, tries: mail.tries }, 'a mail could not be sent and is tried again')
    await pool.query(
      `update mails set next_try_at = now() + make_interval(secs => $2), last_error = $3 where id = $1`,
      [mail.id, Math.min(300, 2 ** mail.tries), reason],
    )
    return isUnreachable(error)
  }
}
