import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, constants, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSender } from '../../../contract/settings/mail.ts'
import { messageOf } from '../../caught-errors.ts'
import { makeFolder, syncFolder } from '../../durable-files.ts'

/** Mail to be sent. */
export interface OutgoingMail {
  /** Identical for every attempt, so that a mail that arrives twice can be recognized. */
  messageId: string
  from: string
  to: string
  subject: string
  text: string
  html: string
}

/** Sender of mails by SMTP or to the outbox. */
export interface MailTransport {
  /**
   * Sends a mail.
   * @returns the path of the file that was written, without a mail server; null once the mail server has accepted the mail
   * @throws the error of the server or the disk: see `isRefusal`, `isAboutThisMail` and `problemOf`
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<string | null>
  /**
   * Checks whether mails would be accepted now.
   * @returns null, or the reason why not
   */
  whyAway(signal: AbortSignal): Promise<string | null>
  /** Closes the connections to the mail server. */
  close(): void
}

/**
 * Number of connections to the mail server, and so of mails that are sent concurrently, so that a slow one does not delay the
 * others.
 */
export const CONNECTIONS = 3

/**
 * Opens SMTP if there is a mail server; connects with the first mail. Otherwise each mail becomes an .eml file under
 * DATA_DIR/outbox (rules/running#outbox).
 * @param onWritten receives the path of each file
 */
export function openMailTransport(
  smtpUrl: string,
  dataDir: string,
  onWritten: (path: string) => void,
): MailTransport {
  return smtpUrl === '' ? openOutbox(dataDir, onWritten) : openSmtp(smtpUrl)
}

/** Returns a mail in the form of nodemailer. */
function compose({ messageId, from, to, subject, text, html }: OutgoingMail) {
  return {
    messageId,
    // As objects, so that no character of a name or an address becomes another address.
    from: parseSender(from) ?? from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    // RFC 3834: prevents "out of office" replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/**
 * Opens a pool of connections with timeouts. STARTTLS is required if the URL contains a user. Node.js must trust the server's
 * certificate (NODE_EXTRA_CA_CERTS adds an authority).
 */
function openSmtp(smtpUrl: string): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && username !== '',
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: CONNECTIONS,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  } as const
  // Loaded with the first mail, because the library is large.
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    const transporter = createTransport(options)
    // Errors of idle connections do not matter.
    transporter.on('error', () => {})
    return transporter
  }
  let opened: ReturnType<typeof open> | undefined
  const transport = () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))
  return {
    async send(mail, signal) {
      const transporter = await transport()
      await transporter.sendMail({ ...compose(mail), signal })
      return null
    },
    async whyAway(signal) {
      const asked = new AbortController()
      try {
        signal.throwIfAborted()
        const transporter = await transport()
        const stopped = once(signal, 'abort', { signal: asked.signal })
        await Promise.race([transporter.verify(), stopped.then(() => signal.throwIfAborted())])
        return null
      } catch (error) {
        return messageOf(error)
      } finally {
        asked.abort()
      }
    },
    close: () =>
      void opened?.then(
        (transporter) => transporter.close(),
        () => {},
      ),
  }
}

/**
 * Returns the sender that writes each mail as an .eml file to DATA_DIR/outbox, and creates the folder when needed.
 * @param onWritten receives the path of each written file
 */
function openOutbox(dataDir: string, onWritten: (path: string) => void): MailTransport {
  const outbox = join(dataDir, 'outbox')
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const composer = createTransport({ streamTransport: true, buffer: true })
      const { message } = await composer.sendMail(compose(mail))
      await makeFolder(outbox)
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`
      const path = join(outbox, name)
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600, flush: true })
      await rename(`${path}.part`, path)
      await syncFolder(outbox)
      onWritten(path)
      return path
    },
    async whyAway() {
      try {
        await mkdir(outbox, { recursive: true, mode: 0o700 })
        await access(outbox, constants.W_OK)
        return null
      } catch (error) {
        return messageOf(error)
      }
    },
    close() {},
  }
}

/**
 * Returns whether sending failed because of this mail, its sender or its recipient, for now or permanently, and not because the
 * mail server is unavailable.
 */
export function isAboutThisMail(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'EENVELOPE' || code === 'EMESSAGE'
}

/**
 * Returns whether the mail server refused this mail permanently: with a response code of 500 or above, or without one. A 4xx
 * response is temporary.
 */
export function isRefusal(error: unknown): boolean {
  const { responseCode = 500 } = error as { responseCode?: number }
  return isAboutThisMail(error) && responseCode >= 500
}
