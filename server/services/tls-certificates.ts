import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Config } from '../config.ts'
import { readDatabaseUrl } from '../db/database-url.ts'

/** Servers that Maru connects to by TLS. */
export type Peer = 'mail' | 'storage' | 'database' | 'syslog'

/** Expiry of each certificate, as it was last seen. */
export interface CertificateWatch {
  /** Connects to all servers and stores the expiry of their certificates. If a server does not respond, its last expiry stays. */
  look(signal: AbortSignal): Promise<void>
  /** Returns the expiry of each server's certificate, as far as it is known. */
  report(): ReadonlyMap<Peer, Date>
}

/** Milliseconds that the check of one server's certificate may take. */
const PATIENCE_MS = 5_000

/** Address that speaks TLS, immediately or after a command of its protocol. */
interface Place {
  host: string
  port: number
  begin: 'at-once' | 'smtp' | 'postgres'
}

/**
 * Creates the watch of the certificates of the mail server, the bucket, the database and the syslog receiver, if they
 * use TLS.
 * @param smtpUrl returns the current mail server
 */
export function createCertificateWatch(config: Config, smtpUrl: () => string): CertificateWatch {
  const known = new Map<Peer, Date>()
  return {
    async look(signal) {
      const places = placesOf(config, smtpUrl())
      for (const peer of known.keys()) if (!places.has(peer)) known.delete(peer)
      await Promise.all(
        [...places].map(async ([peer, place]) => {
          // Errors of a connection are reported where it is needed.
          const expiry = await readExpiry(place, signal).catch(() => undefined)
          if (expiry !== undefined) known.set(peer, expiry)
        }),
      )
    },
    report: () => known,
  }
}

/** Returns the host of a URL as `net.connect` takes it: an IPv6 address without brackets. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/**
 * Returns the addresses of the servers that the configuration reaches by TLS: mail always, the others only if TLS is
 * configured.
 */
function placesOf({ storage, databaseUrl, logExport }: Config, smtpUrl: string): Map<Peer, Place> {
  const places = new Map<Peer, Place>()
  if (smtpUrl !== '') {
    const url = new URL(smtpUrl)
    const isAtOnce = url.protocol === 'smtps:'
    places.set('mail', {
      host: hostOf(url),
      port: Number(url.port) || (isAtOnce ? 465 : 587),
      begin: isAtOnce ? 'at-once' : 'smtp',
    })
  }
  if (storage.kind === 's3' && storage.endpoint.startsWith('https:')) {
    const url = new URL(storage.endpoint)
    places.set('storage', { host: hostOf(url), port: Number(url.port) || 443, begin: 'at-once' })
  }
  if (databaseUrl !== '') {
    const { host, port, isVerified } = readDatabaseUrl(databaseUrl)
    if (isVerified) places.set('database', { host, port, begin: 'postgres' })
  }
  const { receiver } = logExport
  if (receiver?.isTls === true)
    places.set('syslog', { host: receiver.host, port: receiver.port, begin: 'at-once' })
  return places
}

/**
 * Returns the expiry of a server's certificate, also of one that has expired or that this machine does not trust; undefined if the
 * server does not speak TLS.
 * @throws the error of the connection
 */
async function readExpiry({ host, port, begin }: Place, signal: AbortSignal): Promise<Date | undefined> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const plain = connectPlain({ host, port })
  const disconnect = () => void plain.destroy()
  within.addEventListener('abort', disconnect, { once: true })
  // An error ends the connection, and with it whatever the code waits for.
  plain.on('error', () => {})
  try {
    await once(plain, 'connect', { signal: within })
    if (begin === 'smtp' && !(await beginSmtp(plain, within))) return undefined
    if (begin === 'postgres' && !(await beginPostgres(plain, within))) return undefined
    // Only the expiry is read and nothing is sent, so an expired certificate or a private authority does not matter here.
    const tls = connectTls({
      socket: plain,
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host }),
    })
    tls.on('error', () => {})
    await once(tls, 'secureConnect', { signal: within })
    const { valid_to: until } = tls.getPeerCertificate()
    return until ? new Date(until) : undefined
  } finally {
    within.removeEventListener('abort', disconnect)
    plain.destroy()
  }
}

/** Requests TLS from a mail server; false if it does not offer that. */
async function beginSmtp(socket: Socket, signal: AbortSignal): Promise<boolean> {
  await readReply(socket, signal)
  socket.write('EHLO maru\r\n')
  if (!/STARTTLS/i.test(await readReply(socket, signal))) return false
  socket.write('STARTTLS\r\n')
  return (await readReply(socket, signal)).startsWith('220')
}

/** Reads a response, which may have several lines. The last line has a space after its number. */
async function readReply(socket: Socket, signal: AbortSignal): Promise<string> {
  let text = ''
  while (!/^\d{3} [^\n]*\n$/m.test(text)) {
    const [chunk] = (await once(socket, 'data', { signal })) as [Buffer]
    text += chunk.toString('latin1')
  }
  return text
}

/** First message of a PostgreSQL client that requests TLS: “SSLRequest”. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Requests TLS from a PostgreSQL server; false if it does not offer that. */
async function beginPostgres(socket: Socket, signal: AbortSignal): Promise<boolean> {
  socket.write(SSL_REQUEST)
  const [answer] = (await once(socket, 'data', { signal })) as [Buffer]
  return answer.toString('latin1') === 'S'
}
