import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { anyText, line, lineOrEmpty, recordVersion } from '../fields.ts'

/** Ways to encrypt the connection: from its start, or after STARTTLS, which a password requires. */
export const MAIL_SECURITY = ['starttls', 'tls'] as const
/** See `MAIL_SECURITY`. */
export type MailSecurity = (typeof MAIL_SECURITY)[number]

/** Usual port of each way to encrypt the connection. */
export const USUAL_MAIL_PORT: Record<MailSecurity, number> = { starttls: 587, tls: 465 }

/** The highest port. */
export const MAX_PORT = 65_535

/** The most characters of a mail server's password. */
export const MAX_MAIL_PASSWORD = 500

/** Limit of changes per user, because the portal connects to each chosen host: a thief must not scan the network with it. */
export const MAIL_CHANGES = { points: 10, seconds: 10 * 60 }

/**
 * Splits a sender into name and address, so that no character of the name changes the address.
 * @returns null unless the text is one email address, with or without a name before it; also null if the name contains
 * a comma or semicolon
 */
export function parseSender(text: string): { name: string; address: string } | null {
  const [, before = '', inBrackets, bare = ''] = /^(?:([^<>\p{Cc}]*)<([^<>]+)>|([^<>\s]+))$/u.exec(text) ?? []
  const name = before.trim().replace(/^"(.*)"$/, '$1')
  const address = (inBrackets ?? bare).trim()
  return /[,;]/.test(name) || !z.regexes.email.test(address) ? null : { name, address }
}

/** Returns whether a text is one email address, with or without a name before it. */
export const isSender = (text: string): boolean => parseSender(text) !== null

/** Returns whether a text is a host name or IP address; true for ''. */
const isHost = (text: string) => text === '' || /^[a-z0-9._-]+$/i.test(text) || z.regexes.ipv6.test(text)

/** The fields of the form of the mail server. */
export const mailServerForm = z.strictObject({
  /** Host name or IP address; '' for none: emails become files. */
  mailHost: lineOrEmpty(253).check(z.refine(isHost, 'mailHostFormat')),
  mailPort: z
    .number({ error: 'notNumber' })
    .check(
      z.int('notNumber'),
      z.gte(1, `numberRange|1~${MAX_PORT}`),
      z.lte(MAX_PORT, `numberRange|1~${MAX_PORT}`),
    ),
  mailSecurity: z.enum(MAIL_SECURITY, 'codeFormat'),
  /** '' for a server without a login. */
  mailUser: lineOrEmpty(254),
  /** Left out to keep the saved one, which the server never returns. */
  mailPassword: z.optional(anyText(MAX_MAIL_PASSWORD).check(z.minLength(1, 'required'))),
  mailFrom: line(200).check(z.refine(isSender, 'senderFormat')),
})

/**
 * Saves mail server and sender, and notifies administrators of another server (rules/settings#mail-server).
 * RECORD_CHANGED if another user has saved since the caller read them; SETTING_FIXED for a change of a setting that an
 * environment variable fixes; MAIL_PASSWORD_REQUIRED for another server or user without its password;
 * ADMIN_REACH_REQUIRED for a caller who does not reach administrators, because emails carry codes and passwords;
 * TOO_MANY_TRIES beyond MAIL_CHANGES.
 */
export const updateMailServer = endpoint({
  path: '/set/v1/upd/mailServer',
  summary: 'Change the mail server',
  access: { function: ['autho_setting_manage'] },
  confirmed: 'always',
  // The caller leaves out what an environment variable fixes.
  input: z.strictObject({ ...z.partial(mailServerForm).shape, version: recordVersion }),
  errors: [
    'RECORD_CHANGED',
    'SETTING_FIXED',
    'ADMIN_REACH_REQUIRED',
    'MAIL_PASSWORD_REQUIRED',
    'TOO_MANY_TRIES',
  ],
  audit: 'setting.update',
  auditsChangeOnly: true,
  personal: 'none',
})
