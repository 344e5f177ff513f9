import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { reachesAdministrators } from '../../../contract/permissions.ts'
import {
  MAIL_CHANGES,
  type MailSecurity,
  type updateMailServer as endpoint,
  USUAL_MAIL_PORT,
} from '../../../contract/settings/mail.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/database.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { notifyAdministrators } from '../../records/notifications.ts'
import { MAIL_COLUMNS, type SavedMail, sealMailPassword } from '../../services/mail/mail-server.ts'
import { VARIABLE } from '../../services/settings.ts'
import { mailHostOf } from './test-mail.ts'

/** Fields of the form whose change is one of the mail server. Such a change notifies administrators. */
const SERVER_FIELDS = ['mailHost', 'mailPort', 'mailSecurity', 'mailUser'] as const

/** Returns the query for the saved mail server and sender. */
const queryMail = (db: Db) => db.selectFrom('settings').select(MAIL_COLUMNS)

/**
 * Returns the mail server and sender in force for the form, without the password but with whether there is one, and
 * their version (rules/settings#mail-server).
 */
export async function readMailServer({ db, services: { config } }: Pick<Call, 'db' | 'services'>) {
  const row = await queryMail(db).executeTakeFirstOrThrow()
  const hasPassword = config.given.has(VARIABLE.mailServer)
    ? config.secrets.smtpUrl !== '' && new URL(config.secrets.smtpUrl).password !== ''
    : row.mailPassword !== null
  return { ...toForm(config, row), mailPasswordSet: hasPassword, mailVersion: versionOf(row) }
}

/**
 * Returns the mail server and sender in force, as the fields of the form. Environment variables go before saved values.
 * Host and user are '' without a server.
 */
function toForm({ given, secrets, mail }: Config, row: SavedMail) {
  const isGiven = given.has(VARIABLE.mailServer)
  const text = isGiven ? secrets.smtpUrl : (row.mailUrl ?? '')
  const url = text === '' ? undefined : new URL(text)
  const mailSecurity: MailSecurity = url?.protocol === 'smtps:' ? 'tls' : 'starttls'
  return {
    mailHost: url?.hostname.replace(/^\[|\]$/g, '') ?? '',
    mailPort: Number(url?.port) || USUAL_MAIL_PORT[mailSecurity],
    mailSecurity,
    mailUser: isGiven ? decodeURIComponent(url?.username ?? '') : row.mailUser,
    mailFrom: given.has(VARIABLE.mailFrom) ? mail.from : (row.mailFrom ?? mail.from),
  }
}

/** Returns the version of the saved mail server and sender, by which a change notices a concurrent one. */
const versionOf = ({ mailUrl, mailUser, mailPassword, mailFrom }: SavedMail) =>
  digestOf([mailUrl, mailUser, mailPassword?.toString('hex'), mailFrom])

/**
 * Saves mail server and sender, with an audit row unless nothing changes. Notifies administrators of another server or
 * password in the portal, and wakes the mail job. The password is stored encrypted, for this server and user only.
 * Takes effect immediately on this server, on others within a second.
 * @throws {Refusal} ADMIN_REACH_REQUIRED if the caller does not reach administrators; RECORD_CHANGED if it changed
 * since `version`; SETTING_FIXED for a change of a setting that an environment variable fixes; TOO_MANY_TRIES beyond
 * MAIL_CHANGES
 * @throws {Refusal} MAIL_PASSWORD_REQUIRED for another server or user without a password: a user who changes the host
 * must not get the saved password sent there
 */
export const updateMailServer: Handler<typeof endpoint> = async (
  call,
  { version, mailPassword, ...input },
) => {
  const { services, actor } = call
  const { config, keySecret } = services
  if (!reachesAdministrators(actor)) refuse('ADMIN_REACH_REQUIRED')
  await services.limits.use('mail-server', MAIL_CHANGES, actor.id)
  await call.db.transaction().execute(async (tx) => {
    const row = await queryMail(tx).forUpdate().executeTakeFirstOrThrow()
    if (version !== versionOf(row)) refuse('RECORD_CHANGED')
    const before = toForm(config, row)
    // An absent field has no key.
    const after = { ...before, ...(input as Partial<typeof before>) }
    // Without a server there is no login, and neither port nor encryption is saved.
    const { mailPort, mailSecurity } = before
    if (after.mailHost === '') Object.assign(after, { mailUser: '', mailPort, mailSecurity })
    const changes = differences(before, after)
    const changesServer = mailPassword !== undefined || SERVER_FIELDS.some((field) => field in changes)
    for (const [changed, variable] of [
      [changesServer, VARIABLE.mailServer],
      ['mailFrom' in changes, VARIABLE.mailFrom],
    ] as const)
      if (changed && config.given.has(variable)) refuse('SETTING_FIXED', { about: [variable] })

    const server = { mailUrl: toUrl(after), mailUser: after.mailUser }
    const isSame = server.mailUrl === row.mailUrl && server.mailUser === row.mailUser
    /** Returns the encrypted password to save; null without a login. Refuses with MAIL_PASSWORD_REQUIRED. */
    const password = (): Buffer | null => {
      if (after.mailUser === '') return null
      if (mailPassword !== undefined) return sealMailPassword(keySecret, mailPassword, server)
      return isSame && row.mailPassword !== null ? row.mailPassword : refuse('MAIL_PASSWORD_REQUIRED')
    }
    await tx
      .updateTable('settings')
      .set({
        ...(changesServer && { ...server, mailPassword: password() }),
        ...('mailFrom' in changes && { mailFrom: after.mailFrom }),
        changedAt: sql`now()`,
        changedBy: actor.id,
      })
      .execute()
    const detail = {
      ...changes,
      ...(after.mailUser !== '' && mailPassword !== undefined && { mailSecretChanged: true }),
    }
    await call.audit(tx, { target: 'mail', detail, records: null })
    // In the portal, because the new server may belong to a thief and drop the emails.
    if (changesServer)
      await notifyAdministrators(tx, {
        kind: 'MAIL_SERVER',
        actorId: actor.id,
        detail: { address: mailHostOf({ smtpUrl: server.mailUrl ?? '' }) },
      })
  })
  // Immediately on this server; on others within a second.
  await services.settings.fresh()
  services.mail.wake()
}

/** Returns the URL of a mail server without user and password; null without a server. */
function toUrl({ mailHost, mailPort, mailSecurity }: ReturnType<typeof toForm>): string | null {
  if (mailHost === '') return null
  const host = mailHost.includes(':') ? `[${mailHost}]` : mailHost.toLowerCase()
  return `${mailSecurity === 'tls' ? 'smtps' : 'smtp'}://${host}:${mailPort}`
}
