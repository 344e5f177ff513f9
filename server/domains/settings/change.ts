import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { reachesAdministrators, ROLE } from '../../../contract/permissions.ts'
import {
  FIXABLE,
  type OfficeRecord,
  type getSettings as readEndpoint,
  type updateSettings as updateEndpoint,
} from '../../../contract/settings.ts'
import { DEFAULT_ADMIN_EMAIL } from '../../config.ts'
import { isExternal, mayLogIn } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { LOGO } from '../../http/pages.ts'
import { differences } from '../../records/audit.ts'
import { queueMails } from '../../services/mail.ts'
import { portalOf, VARIABLE } from '../../services/settings.ts'
import { deleteValues, fieldsText } from './custom-fields.ts'
import { shownOf } from './english-names.ts'
import { logoOf } from './logo.ts'
import { readMailServer } from './mail-server.ts'
import { findSettings, lockSettings, versionOf } from './queries.ts'
import { mailHostOf } from './test-mail.ts'

/**
 * Returns the settings of the portal and its mail server, who changed them last and when, which settings environment
 * variables fix, and the caller's own email, unless it is the placeholder (rules/settings#settings).
 */
export const readSettings: Handler<typeof readEndpoint> = async (call) => {
  const { db, actor, services } = call
  const { config, settings } = services
  const row = await findSettings(db, actor.id)
  const portal = portalOf(config, row)
  const { company, logoText, companyEn, logoTextEn, portalUrl, offices, logo } = portal
  return {
    companyName: company,
    logoText,
    companyNameEn: companyEn,
    logoTextEn,
    portalUrl,
    offices: [...offices],
    logo: logo === '' ? '' : LOGO + logo,
    fixed: FIXABLE.filter((field) => config.given.has(VARIABLE[field])).map((field) => ({
      field,
      variable: VARIABLE[field],
    })),
    noticeComments: portal.noticeComments,
    noticeAcknowledgements: portal.noticeAcknowledgements,
    customFields: [...portal.customFields],
    positions: [...portal.positions],
    ...(await readMailServer(call)),
    mailServer: mailHostOf(settings.mailServer()),
    ownEmail: row.ownEmail === DEFAULT_ADMIN_EMAIL ? '' : row.ownEmail,
    version: versionOf(portal),
    changedAt: row.changedAt,
    userId: row.userId,
    name: row.name,
  }
}

/**
 * Saves the settings, with an audit row unless nothing changes (rules/settings#save-settings). They take effect
 * immediately on this server, on others within a second. Does not write unchanged values, so that an unchanged
 * placeholder does not become a setting. Mails administrators if the URL changes. A custom field that is removed loses
 * its values in all user records.
 * @throws {Refusal} RECORD_CHANGED if they changed since `version`; LOGO_INVALID; SETTING_FIXED for a change of a
 * setting that an environment variable fixes; ADMIN_REACH_REQUIRED if the URL changes and the caller does not reach
 * administrators
 */
export const updateSettings: Handler<typeof updateEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const { version, logoImage, offices, customFields, ...texts } = input
  const image = logoImage === undefined ? undefined : logoOf(logoImage)
  await db.transaction().execute(async (tx) => {
    const portal = portalOf(services.config, await lockSettings(tx))
    if (version !== versionOf(portal)) refuse('RECORD_CHANGED')
    const before = {
      companyName: portal.company,
      logoText: portal.logoText,
      companyNameEn: portal.companyEn,
      logoTextEn: portal.logoTextEn,
      portalUrl: portal.portalUrl,
      offices: officesText(portal.offices),
      logo: portal.logo,
      noticeComments: portal.noticeComments,
      noticeAcknowledgements: portal.noticeAcknowledgements,
      customFields: fieldsText(portal.customFields),
      positions: portal.positions,
    }
    const after = {
      ...before,
      ...texts,
      ...(offices && { offices: officesText(offices) }),
      ...(customFields && { customFields: fieldsText(customFields) }),
      ...(image && { logo: image.logoDigest ?? '' }),
    }
    const changes = differences(before, after)
    if ('portalUrl' in changes) {
      if (services.config.given.has(VARIABLE.portalUrl))
        refuse('SETTING_FIXED', { about: [VARIABLE.portalUrl] })
      if (!reachesAdministrators(actor)) refuse('ADMIN_REACH_REQUIRED')
      await mailChangedUrl(tx, call, { from: portal.portalUrl, to: after.portalUrl ?? '' })
    }
    await tx
      .updateTable('settings')
      .set({
        ...('companyName' in changes && { companyName: after.companyName }),
        ...('logoText' in changes && { logoText: after.logoText }),
        ...('companyNameEn' in changes && { companyNameEn: after.companyNameEn }),
        ...('logoTextEn' in changes && { logoTextEn: after.logoTextEn }),
        ...('portalUrl' in changes && { portalUrl: after.portalUrl }),
        ...('offices' in changes && { offices: after.offices }),
        ...('customFields' in changes && { customFields: after.customFields }),
        ...('positions' in changes && { positions: input.positions }),
        ...image,
        noticeComments: after.noticeComments,
        noticeAcknowledgements: after.noticeAcknowledgements,
        changedAt: sql`now()`,
        changedBy: actor.id,
      })
      .execute()
    if (customFields) await deleteValues(tx, portal.customFields, customFields)
    await call.audit(tx, { target: 'portal', detail: changes, records: null })
  })
  services.mail.wake()
  // Immediately on this server; on others with the next page.
  await services.settings.fresh()
}

/**
 * Queues a mail to every 관리자 who may log in, is in no other company and has a real email, that the URL of the portal changes. The mail links to
 * the previous URL, or to none if there was none (rules/settings#portal-address). The caller wakes the mail job.
 */
async function mailChangedUrl(
  tx: Db,
  { actor, services, requester }: Pick<Call<typeof updateEndpoint>, 'actor' | 'services' | 'requester'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const administrators = await tx
    .selectFrom('users')
    .select(['email', 'language'])
    .where('roleCode', '=', ROLE.admin)
    .where('email', '<>', DEFAULT_ADMIN_EMAIL)
    .where(mayLogIn())
    .where(sql<boolean>`not ${isExternal(sql`affiliation_code`)}`)
    .execute()
  const { company } = services.settings.now()
  const said = { by: `${actor.name}(${actor.userId})`, from, to }
  const texts = { ko: mailTexts.ko.newAddress(company, said), en: mailTexts.en.newAddress(company, said) }
  const link = from === '' ? null : `${from}/setting/manage`
  await queueMails(
    tx,
    administrators.map(({ email, language }) => ({
      to: email,
      language,
      text: texts[language],
      link,
      requester,
    })),
  )
}

/** Returns the offices as the JSON text that the database stores, with their fields in a fixed order. */
function officesText(offices: readonly OfficeRecord[]) {
  return JSON.stringify(offices.map(({ nameEn, addressEn, ...o }) => ({ ...shownOf(o), nameEn, addressEn })))
}
