import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { LANGUAGES, type Language } from '../../../contract/messages/language.ts'
import { mailSamples } from '../../../contract/messages/mails-samples.ts'
import { reachesAdministrators } from '../../../contract/permissions.ts'
import {
  type listMailTemplates as listEndpoint,
  MAIL_KINDS,
  type MailKind,
  type MailTemplate,
  problemsOf,
  type sendMailTemplate as sendEndpoint,
  type updateMailTemplate as updateEndpoint,
} from '../../../contract/settings/mail-templates.ts'
import type { Db } from '../../db/database.ts'
import { orEmpty, timeText } from '../../db/sql.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import type { Handler } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { fillTemplate, shippedTemplate } from '../../services/mail/compose.ts'
import { sendToOneself } from './test-mail.ts'

/** Saved texts of a template that is not changed: mails then use the one of this release. */
const SHIPPED: MailTemplate = { mailSubject: '', mailText: '' }

/** Returns the version of a template, by which a change notices a concurrent one. */
const versionOf = ({ mailSubject, mailText }: MailTemplate) => digestOf([mailSubject, mailText])

/** Returns the query for the saved templates `t`. */
const templates = (db: Db) =>
  db.selectFrom('mailTemplates as t').select(['t.subject as mailSubject', 't.text as mailText'])

/**
 * Returns for every kind of mail and language the saved template ('' if it is not changed), the one of this release,
 * who changed it last and when, and whether it is invalid, for example because a value is missing
 * (rules/settings#mail-templates).
 */
export const listMailTemplates: Handler<typeof listEndpoint> = async ({ db }) => {
  const rows = await templates(db)
    .innerJoin('users as u', 'u.id', 't.changedBy')
    .select(['t.kind', 't.language', timeText('t.changedAt').as('changedAt')])
    .select([orEmpty('u.loginId').as('userId'), orEmpty('u.name').as('name')])
    .execute()
  const ofOne = (mailKind: MailKind, language: Language) => {
    const row = rows.find((one) => one.kind === mailKind && one.language === language)
    const saved = row ?? SHIPPED
    const { mailSubject: shippedSubject, mailText: shippedText } = shippedTemplate(mailKind, language)
    const { changedAt = '', userId = '', name = '' } = row ?? {}
    return {
      mailKind,
      language,
      mailSubject: saved.mailSubject,
      mailText: saved.mailText,
      shippedSubject,
      shippedText,
      isInvalid: problemsOf(mailKind, saved).length > 0,
      version: versionOf(saved),
      changedAt,
      userId,
      name,
    }
  }
  return {
    templates: MAIL_KINDS.flatMap((kind) => LANGUAGES.map((language) => ofOne(kind, language))),
  }
}

/**
 * Saves the template of a kind of mail in a language, with an audit row unless nothing changes; empty texts restore the
 * one of this release. Mails use it immediately on this server, and within a second on others.
 * @throws {Refusal} ADMIN_REACH_REQUIRED if the caller does not reach administrators; RECORD_CHANGED if the template
 * has changed since `version`
 */
export const updateMailTemplate: Handler<typeof updateEndpoint> = async (
  call,
  { mailKind: kind, language, version, ...after },
) => {
  const { actor, services } = call
  if (!reachesAdministrators(actor)) refuse('ADMIN_REACH_REQUIRED')
  await call.db.transaction().execute(async (tx) => {
    // The row of the settings orders concurrent changes, also the first of a kind, which has no row yet.
    await tx.selectFrom('settings').select('mailTemplatesVersion').forUpdate().execute()
    const saved = templates(tx).where('t.kind', '=', kind).where('t.language', '=', language)
    const before = (await saved.executeTakeFirst()) ?? SHIPPED
    if (version !== versionOf(before)) refuse('RECORD_CHANGED')
    const changes = differences(before, after)
    if (Object.keys(changes).length > 0) {
      const { mailSubject: subject, mailText: text } = after
      const row = { subject, text, changedBy: actor.id, changedAt: sql<Date>`now()` }
      await tx
        .insertInto('mailTemplates')
        .values({ kind, language, ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'language']).doUpdateSet(row))
        .execute()
      await tx
        .updateTable('settings')
        .set({ mailTemplatesVersion: sql`mail_templates_version + 1` })
        .execute()
    }
    await call.audit(tx, { target: `${kind} ${language}`, detail: changes, records: null })
  })
  await services.settings.fresh()
}

/**
 * Sends a template with sample values to the caller, with an audit row, and returns the result as `sendToOneself`
 * (rules/settings#mail-template-sample). Does not save the template.
 * @throws {Refusal} TOO_MANY_TRIES as `sendToOneself`
 */
export const sendMailTemplate: Handler<typeof sendEndpoint> = (call, { mailKind, language, ...template }) =>
  sendToOneself(call, undefined, { mailKind, language }, () => {
    const samples = { ...mailSamples[language], company: call.services.settings.now().company }
    const text = fillTemplate(template, mailKind, language, samples)
    return { language, text, link: samples.link }
  })
