import { type Kysely, sql } from 'kysely'
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
import { mayLogIn } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { LOGO } from '../../http/pages.ts'
import { differences } from '../../services/audit.ts'
import { queueMails } from '../../services/mail.ts'
import { portalOf, shownOf, VARIABLE } from '../../services/settings.ts'
import { logoOf } from './logo.ts'
import { findSettings, lockSettings, versionOf } from './queries.ts'

/** Returns the settings, and which of them environment variables fix (rules/settings#settings). */
export const readSettings: Handler<typeof readEndpoint> = async ({ db, actor, services: { config } }) => {
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
    mailFrom: config.mail.from,
    mailServer: config.secrets.smtpUrl === '' ? '' : new URL(config.secrets.smtpUrl).host,
    ownEmail: row.ownEmail === DEFAULT_ADMIN_EMAIL ? '' : row.ownEmail,
    version: versionOf(portal),
    changedAt: row.changedAt,
    userId: row.userId,
    name: row.name,
  }
}

/**
 * Saves the settings (rules/settings#save-settings). Keeps what an environment variable fixes, and does not write unchanged
 * values, so that an unchanged placeholder does not become a setting.
 */
export const updateSettings: Handler<typeof updateEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const { version, logoImage, offices, ...texts } = input
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
    }
    const after = {
      ...before,
      ...texts,
      ...(offices && { offices: officesText(offices) }),
      ...(image && { logo: image.logo_digest ?? '' }),
    }
    const changes = differences(before, after)
    for (const field of FIXABLE) {
      const variable = VARIABLE[field]
      if (field in changes && services.config.given.has(variable))
        refuse('SETTING_FIXED', { about: [variable] })
    }
    if ('portalUrl' in changes) {
      if (!reachesAdministrators(actor)) refuse('ADMIN_REACH_REQUIRED')
      await mailNewAddress(tx, call, { from: portal.portalUrl, to: after.portalUrl ?? '' })
    }
    if (services.config.given.has(VARIABLE.officesEn) && hasOtherEnglish(portal.offices, offices))
      refuse('SETTING_FIXED', { about: [VARIABLE.officesEn] })
    await tx
      .updateTable('settings')
      .set({
        ...('companyName' in changes && { company_name: after.companyName }),
        ...('logoText' in changes && { logo_text: after.logoText }),
        ...('companyNameEn' in changes && { company_name_en: after.companyNameEn }),
        ...('logoTextEn' in changes && { logo_text_en: after.logoTextEn }),
        ...('portalUrl' in changes && { portal_url: after.portalUrl }),
        ...('offices' in changes && { offices: after.offices }),
        ...image,
        notice_comments: after.noticeComments,
        notice_acknowledgements: after.noticeAcknowledgements,
        changed_at: sql`now()`,
        changed_by: actor.id,
      })
      .execute()
    await call.audit(tx, { target: 'portal', detail: changes })
  })
  services.mail.wake()
  // Immediately on this server; on others with the next page.
  await services.settings.fresh()
  return {}
}

/** Mails every 관리자 that the URL of the portal changes. The mail links to the previous URL (rules/settings#portal-address). */
async function mailNewAddress(
  tx: Kysely<Database>,
  { actor, services, requester }: Pick<Call<typeof updateEndpoint>, 'actor' | 'services' | 'requester'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const administrators = await tx
    .selectFrom('users')
    .select(['email', 'language'])
    .where('role_code', '=', ROLE.admin)
    .where('email', '<>', DEFAULT_ADMIN_EMAIL)
    .where(mayLogIn())
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

/** Returns offices as they are stored, with their fields in a fixed order. */
function officesText(offices: readonly OfficeRecord[]) {
  return JSON.stringify(offices.map(({ nameEn, addressEn, ...o }) => ({ ...shownOf(o), nameEn, addressEn })))
}

/**
 * Returns whether an office has an English text that none of the offices had before. A different order, or a removed office, does
 * not count.
 */
function hasOtherEnglish(before: readonly OfficeRecord[], after: readonly OfficeRecord[] = []): boolean {
  const known = new Set(['["",""]', ...before.map(englishOf)])
  return after.some((office) => !known.has(englishOf(office)))
}

function englishOf({ nameEn, addressEn }: OfficeRecord): string {
  return JSON.stringify([nameEn, addressEn])
}
