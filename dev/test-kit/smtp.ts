import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { callbackify } from 'node:util'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { type SelfSigned, selfSignedCertificate } from './certificate.ts'

/** A received mail, parsed. */
export interface ReceivedMail {
  from: string
  /** Recipients of the SMTP envelope. From `open`, those of the To header. */
  to: string[]
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  /** The mail unchanged. */
  source: string
  isEncrypted: boolean
  user: string
}

/** Response to a recipient: a status such as 550 or 451, `'stall'` for no response, undefined to accept. */
export type RecipientRule = (address: string) => number | 'stall' | undefined

/** A real SMTP server on this machine, with STARTTLS and AUTH PLAIN and LOGIN. */
export interface TestSmtp {
  /** SMTP_URL with user and password. */
  url: string
  /** Certificate of the server as PEM. A Maru in another process needs it as a file in NODE_EXTRA_CA_CERTS. */
  certificate: string
  mails: ReceivedMail[]
  /** Number of connections since the start. */
  connections: number
  /** Rule for the recipients of further mails. It accepts all at first. */
  onRecipient: RecipientRule
  /** Milliseconds that a client waits for the greeting; 0 at first. */
  greetsAfter: number
  /**
   * Waits without a limit for the first mail to an address, and returns it.
   * @param since index in `mails` to search from, 0 by default
   */
  mailTo(address: string, since?: number): Promise<ReceivedMail>
  /** Stops listening and closes every connection. Does nothing if the server is down. */
  down(): Promise<void>
  /** Listens on the same port again. Does nothing if the server runs. */
  up(): Promise<void>
  /** Stops the server as `down`, at the end of a test. */
  close(): Promise<void>
}

/** Deviations from a correct server. */
export interface SmtpOptions {
  /** False to refuse STARTTLS, and to accept logins without TLS. */
  offersTls?: boolean
  /** Password that the server accepts; by default that of SMTP_USER. */
  password?: string
  /** True to use an expired certificate. `up` reads it again. */
  hasEnded?: boolean
}

/** User that the server accepts. The characters of the password need encoding in a URL. */
const SMTP_USER = { name: 'maru', password: 'p@ss:word/1' }

/**
 * Starts the server on a free port, and makes this process trust its certificate. The code that checks certificates is that of
 * production.
 */
export async function startSmtp(options: SmtpOptions = {}): Promise<TestSmtp> {
  const good = selfSignedCertificate()
  const ended = selfSignedCertificate({ hasEnded: true })
  const { certificate } = good
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate, ended.certificate])

  const arrivals = new EventEmitter()
  let server: SMTPServer | undefined
  let port = 0
  const up = async () => {
    if (server !== undefined) return
    server = makeServer(smtp, arrivals, options.hasEnded ? ended : good, options)
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    port = (server.server.address() as AddressInfo).port
  }
  const down = async () => {
    if (server === undefined) return
    const { connections } = server
    const closed = new Promise<void>((resolve) => server?.close(() => resolve()))
    server = undefined
    for (const connection of connections) connection.close()
    await closed
  }
  const smtp: TestSmtp = {
    url: '',
    certificate,
    mails: [],
    connections: 0,
    onRecipient: () => undefined,
    greetsAfter: 0,
    async mailTo(address, since = 0) {
      for (;;) {
        const mail = smtp.mails.slice(since).find(({ to }) => to.includes(address))
        if (mail !== undefined) return mail
        await once(arrivals, 'mail')
      }
    },
    down,
    up,
    close: down,
  }
  await up()
  smtp.url = `smtp://${SMTP_USER.name}:${encodeURIComponent(SMTP_USER.password)}@localhost:${port}`
  return smtp
}

/** Creates a server that adds the mails to `smtp`. */
function makeServer(
  smtp: TestSmtp,
  arrivals: EventEmitter,
  { key, certificate: cert }: SelfSigned,
  options: SmtpOptions,
): SMTPServer {
  const server = new SMTPServer({
    key,
    cert,
    authMethods: ['PLAIN', 'LOGIN'],
    authOptional: false,
    allowInsecureAuth: options.offersTls === false,
    hideSTARTTLS: options.offersTls === false,
    disabledCommands: options.offersTls === false ? ['STARTTLS'] : [],
    disableReverseLookup: true,
    // Close quickly: the test ends when the server does.
    closeTimeout: 50,
    onConnect(_session, done) {
      smtp.connections += 1
      if (smtp.greetsAfter === 0) done()
      else setTimeout(done, smtp.greetsAfter)
    },
    onAuth({ username, password }, _session, done) {
      const isRight = username === SMTP_USER.name && password === (options.password ?? SMTP_USER.password)
      if (isRight) done(null, { user: username })
      else done(refusal(535, 'authentication failed'))
    },
    onRcptTo({ address }, _session, done) {
      const rule = smtp.onRecipient(address)
      if (rule === undefined) done()
      else if (rule !== 'stall') done(refusal(rule, rule >= 500 ? 'no such mailbox' : 'try again later'))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const keep = async () => {
          const mail = await open(Buffer.concat(chunks))
          smtp.mails.push({ ...mail, to, isEncrypted: session.secure, user: String(session.user) })
          arrivals.emit('mail')
        }
        callbackify(keep)(done)
      })
    },
  })
  // Clients that were cut off.
  server.on('error', () => {})
  return server
}

/** Parses the source of a received mail or of an .eml file. */
export async function open(source: Buffer): Promise<Omit<ReceivedMail, 'isEncrypted' | 'user'>> {
  const mail = await PostalMime.parse(source)
  return {
    from: `${mail.from?.name ?? ''} <${mail.from?.address ?? ''}>`,
    to: (mail.to ?? []).map(({ address }) => address ?? ''),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    source: source.toString('utf8'),
  }
}

/** Returns an error with the status of an SMTP response. */
function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
