import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'

/** A mail as it leaves. */
export interface OutgoingMail {
  to: string
  subject: string
  text: string
  html: string
}

/** Where mails go. */
export interface MailTransport {
  /** @throws what the server or the disk said; see `isRefusal` */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/**
 * SMTP where SMTP_URL is set: a pool of connections, with time-outs; STARTTLS is required as soon as the URL
 * carries a password. Else each mail becomes an .eml file under DATA_DIR/outbox (decisions §3).
 * @param onWritten told the path of each file
 */
export function openMailTransport(config: Config, onWritten: (path: string) => void): MailTransport {
  const { from } = config.mail
  const url = config.secrets.smtpUrl
  // As an object: nothing in an address can smuggle in a second recipient.
  const envelopeOf = ({ to, subject, text, html }: OutgoingMail) => ({
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
  })
  if (url === '') {
    const outbox = join(config.dataDir, 'outbox')
    const composer = createTransport({ streamTransport: true, buffer: true })
    return {
      async send(mail) {
        const { message } = await composer.sendMail(envelopeOf(mail))
        await mkdir(outbox, { recursive: true, mode: 0o700 })
        const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`
        const path = join(outbox, name)
        await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
        await rename(`${path}.part`, path)
        onWritten(path)
      },
      close: () => composer.close(),
    }
  }
  const { protocol, password } = new URL(url)
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: 3,
    requireTLS: protocol === 'smtp:' && password !== '',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  return {
    async send(mail) {
      await transporter.sendMail(envelopeOf(mail))
    },
    close: () => transporter.close(),
  }
}

/** Whether the mail server refused the mail for good (a 5xx about the mail), so that another try is no use. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500
}

/** Whether the mail server did not answer at all or let nobody in: every other mail would fare alike. */
export function isUnreachable(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return responseCode === undefined || code === 'EAUTH'
}
