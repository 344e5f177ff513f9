import { type Config, REMOVED_VARIABLES } from './config.ts'
import { readDatabaseUrl } from './db/database-url.ts'

/**
 * Hosts that are reached without a network: an empty name, loopback, or the folder of a socket. No warning concerns
 * them.
 */
const LOCAL_HOST = /^(localhost|127(\.\d+){3}|\[?::1\]?||\/.*)$/

/**
 * Returns the warnings about a configuration, one line each (rules/running#start-warnings), such as a missing virus scanner or an
 * unencrypted connection over the network. Outside production it returns only those about removed variables.
 * @param mayChangeTrail whether the application role can change the audit log
 */
export function startWarnings(
  { production, trustProxy, databaseUrl, storage, scan, secrets, given }: Config,
  mayChangeTrail: boolean,
): string[] {
  const removed = Object.entries(REMOVED_VARIABLES).flatMap(([name, instead]) =>
    given.has(name) ? [`WARNING: ${name} no longer has an effect. ${instead}`] : [],
  )
  if (!production) return removed
  const smtp = secrets.smtpUrl === '' ? undefined : new URL(secrets.smtpUrl)
  const warnings = [
    secrets.smtpUrl === '' &&
      'Neither SMTP_URL nor a mail server in the portal is set, so no mail is sent: users cannot finish sign-up, find ID and reset password. Mails are written to DATA_DIR/outbox.',
    smtp?.protocol === 'smtp:' &&
      smtp.password === '' &&
      !LOCAL_HOST.test(smtp.hostname) &&
      'Mails with codes and passwords may travel unencrypted: give SMTP_URL as smtps:, or with a user and a password, which need TLS.',
    storage.kind === 's3' &&
      isPlain(storage.endpoint) &&
      'Attached files travel unencrypted: the endpoint of STORAGE_URL is not https.',
    scan.command.length === 0 && 'SCAN_COMMAND is not set: attached files are not scanned for viruses.',
    isUnencrypted(databaseUrl) &&
      'The database is reached over the network without TLS that verifies the server: add sslmode=verify-full to DATABASE_URL.',
    mayChangeTrail &&
      'The user in DATABASE_URL owns the tables or is a superuser, so an intruder on this server can change the audit log. Name the owner in DATABASE_OWNER_URL, and in DATABASE_URL a user who owns nothing: see docs/operations.md.',
    trustProxy === false &&
      'TRUST_PROXY is not set: Maru itself speaks no TLS. Put a proxy that does before it, and name it there.',
  ]
  return [...removed, ...warnings.filter((line) => line !== false).map((line) => `WARNING: ${line}`)]
}

/** Returns whether an endpoint is reached over the network without TLS. */
function isPlain(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'http:' && !LOCAL_HOST.test(hostname)
}

/**
 * Returns whether the connection to the database crosses a network without TLS, or without verifying the server; false for the
 * embedded database, a socket and this machine.
 */
export function isUnencrypted(databaseUrl: string): boolean {
  if (databaseUrl === '') return false
  const { host, isVerified } = readDatabaseUrl(databaseUrl)
  return !LOCAL_HOST.test(host) && !isVerified
}
