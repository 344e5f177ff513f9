import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/database.ts'
import { reencrypt, type SealKeys, seal, unseal } from '../encryption.ts'

/** Current mail server and sender, from environment variables or the settings (rules/settings#mail-server). */
export interface MailServer {
  /** SMTP URL with user and password; '' if emails are written to files (rules/running#outbox). */
  smtpUrl: string
  /** Sender of the emails. */
  from: string
}

/** Columns of the settings table about the mail server. */
export const MAIL_COLUMNS = ['mailUrl', 'mailUser', 'mailPassword', 'mailFrom'] as const

/** Row of MAIL_COLUMNS. */
export interface SavedMail {
  /** Without user and password; null without a server. */
  mailUrl: string | null
  mailUser: string
  /** Encrypted password; null without one. */
  mailPassword: Buffer | null
  /** Sender of mails; null for the one of the environment. */
  mailFrom: string | null
}

/**
 * Returns the context that a password is encrypted for: it cannot be decrypted for a changed server or user in the
 * database.
 */
const about = ({ mailUrl, mailUser }: Pick<SavedMail, 'mailUrl' | 'mailUser'>) =>
  `mail server ${mailUrl ?? ''} ${mailUser}`

/** Encrypts the password of a mail server. It can be decrypted only for the same server and user. */
export const sealMailPassword = (
  keys: SealKeys,
  password: string,
  server: Pick<SavedMail, 'mailUrl' | 'mailUser'>,
) => seal(keys, password, about(server))

/**
 * Returns the mail server for a row of the table. SMTP_URL and MAIL_FROM have priority over it. Without a key secret that
 * decrypts the password, the URL has none.
 */
export function mailServerOf({ given, secrets, mail }: Config, keys: SealKeys, row: SavedMail): MailServer {
  return {
    smtpUrl: given.has('SMTP_URL') ? secrets.smtpUrl : urlOf(row, keys),
    from: given.has('MAIL_FROM') ? mail.from : (row.mailFrom ?? mail.from),
  }
}

/** Returns the SMTP URL with user and password; '' without a server. */
function urlOf(row: SavedMail, keys: SealKeys): string {
  if (row.mailUrl === null) return ''
  const url = new URL(row.mailUrl)
  url.username = encodeURIComponent(row.mailUser)
  // Without its password, emails wait in the queue: the server refuses the login.
  url.password = encodeURIComponent((row.mailPassword && unseal(keys, row.mailPassword, about(row))) ?? '')
  return url.href
}

/**
 * Encrypts the password of the mail server again with the current key secret when a server starts.
 * @returns false if no given key secret decrypts it: an administrator must enter it again
 */
export async function renewMailPassword(db: Db, keys: SealKeys): Promise<boolean> {
  const row = await db.selectFrom('settings').select(MAIL_COLUMNS).executeTakeFirstOrThrow()
  const next = row.mailPassword && reencrypt(keys, row.mailPassword, about(row))
  if (row.mailPassword === null || next === undefined) return true
  if (next === null) return false
  await sql`update settings set mail_password = ${next} where mail_password = ${row.mailPassword}`.execute(db)
  return true
}
