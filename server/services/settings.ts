import type pg from 'pg'
import type { CustomField } from '../../contract/custom-fields.ts'
import { type Office, type OfficeRecord } from '../../contract/settings.ts'
import {
  type MailKind,
  MAIL_TEMPLATES,
  type MailTemplate,
  problemsOf,
} from '../../contract/settings/mail-templates.ts'
import type { Language } from '../../contract/messages/language.ts'
import { SECURITY_NAMES, type SecuritySettings } from '../../contract/settings/security.ts'
import type { FirstLogin } from '../../contract/sso.ts'
import type { Config } from '../config.ts'
import { toColumn } from '../db/column-names.ts'
import { PLACEHOLDER } from '../placeholder-company.ts'
import type { SealKeys } from './encryption.ts'
import { MAIL_COLUMNS, type MailServer, mailServerOf, type SavedMail } from './mail/mail-server.ts'
import { withTimeout } from './with-timeout.ts'

/** Settings of the whole portal, from environment variables and the settings page (rules/settings#effect). */
export interface Portal extends SecuritySettings {
  company: string
  logoText: string
  /** Names on English screens; '' to use the same. */
  companyEn: string
  logoTextEn: string
  offices: readonly OfficeRecord[]
  /** URL of the portal without a slash at its end; '' if it is not set. */
  portalUrl: string
  /** Digest that names the logo's image; '' without one. */
  logo: string
  /** Whether readers may comment on notices and acknowledge them, if the author of the notice allows it. */
  noticeComments: boolean
  noticeAcknowledgements: boolean
  /** Fields of users that the company defines, in order. */
  customFields: readonly CustomField[]
  /** Positions that users may have, in their order; empty for any. */
  positions: readonly string[]
  /** Networks from which administrators may use the portal; empty for every network. */
  adminNetworks: readonly string[]
  /** State of the setup guide: open, postponed or finished. */
  setup: 'open' | 'later' | 'finished'
}

/** Image of the logo and its media type. */
export interface LogoImage {
  type: string
  bytes: Buffer
}

/** Enabled identity provider, as the login page shows it. */
export interface LoginProvider {
  /** identity_providers.id. */
  id: string
  name: string
  firstLogin: FirstLogin
}

/** Seconds after which a session ends. */
export interface SessionLimits {
  /** Without a call. */
  idleSeconds: number
  /** After the login, in any case. */
  absoluteSeconds: number
}

/** Cached settings of the portal, so that a call needs no query for them (design/settings#cached-settings). */
export interface Settings {
  /** Returns the cached settings. A job refreshes them every second; while the database is unavailable they grow older. */
  now(): Portal
  /** Returns the cached mail server and sender, with the password. As fresh as `now`. */
  mailServer(): MailServer
  /** Returns the valid saved text of a kind of mail; undefined for the text that Maru ships. As fresh as `now`. */
  mailTemplate(kind: MailKind, language: Language): MailTemplate | undefined
  /** Returns the enabled identity providers, none if SSO is off. As fresh as `now`. */
  loginProviders(): readonly LoginProvider[]
  /** Returns the number of the current version of the privacy notice; 0 if none is published. As fresh as `now`. */
  privacyVersion(): number
  /** Reads the settings with a query that starts after this call, and caches them. Concurrent callers share a query. */
  fresh(): Promise<Portal>
  /** Like `fresh`, but returns the cached settings if the query fails or takes more than a second. Never throws. */
  soon(): Promise<Portal>
  /** Returns the limits of sessions. As fresh as `now`. */
  session(): SessionLimits
  /** Returns the URL of a page for a mail; null while `portalUrl` is not set. */
  link(page: `/${string}`): string | null
  /** Returns the image of the logo; null if the digest is not that of the current logo. */
  logo(digest: string): Promise<LogoImage | null>
}

/** Environment variables by the setting that they override. */
export const VARIABLE = { portalUrl: 'PORTAL_URL', mailServer: 'SMTP_URL', mailFrom: 'MAIL_FROM' } as const

/** Columns of the settings table that `portalOf` reads. */
export const PORTAL_COLUMNS = [
  'companyName',
  'logoText',
  'companyNameEn',
  'logoTextEn',
  'portalUrl',
  'offices',
  'logoDigest',
  'noticeComments',
  'noticeAcknowledgements',
  'customFields',
  'positions',
  ...SECURITY_NAMES,
  'adminNetworks',
  'setupState as setup',
] as const

/** PORTAL_COLUMNS and MAIL_COLUMNS for the plain driver. */
const SELECTED = [...PORTAL_COLUMNS, ...MAIL_COLUMNS]
  .map((column) => {
    const [name = '', alias = name] = column.split(' as ')
    return `${toColumn(name)} as "${alias}"`
  })
  .join(', ')

/** SQL expression for the enabled identity providers as JSON, in the order of their IDs. */
const LOGIN_PROVIDERS = `(select coalesce(json_agg(json_build_object('id', p.id::text, 'name', p.name, 'firstLogin', p.first_login) order by p.id), '[]')
  from identity_providers p where p.enabled_at is not null)`

/** The texts of mails, unless the version of the caller's copy ($1) is the present one. */
const MAIL_TEMPLATE_ROWS = `case when mail_templates_version <> $1 then (
  select coalesce(json_agg(json_build_object('kind', t.kind, 'language', t.language, 'mailSubject', t.subject, 'mailText', t.text)), '[]')
  from mail_templates t) end`

/** Saved text of a kind of mail in one language. */
type TemplateRow = MailTemplate & { kind: string; language: Language }

/** Returns whether this version knows a kind of mail. */
const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(MAIL_TEMPLATES, kind)

/**
 * Returns the saved texts of mails by kind and language, without those that this version cannot use: it does not know their kind,
 * or needs a placeholder that they lack.
 */
const templatesOf = (rows: readonly TemplateRow[]) =>
  new Map(
    rows
      .filter(({ kind, ...template }) => isMailKind(kind) && problemsOf(kind, template).length === 0)
      .map((row) => [`${row.kind} ${row.language}`, row]),
  )

/** Settings in the table that a variable or a default may replace; null if not set. */
interface Replaceable {
  companyName: string | null
  logoText: string | null
  companyNameEn: string | null
  logoTextEn: string | null
  portalUrl: string | null
  offices: unknown
  logoDigest: string | null
  customFields: unknown
}

/** Row of the settings table, as PORTAL_COLUMNS reads it. */
export type SavedSettings = Replaceable &
  Pick<
    Portal,
    | 'noticeComments'
    | 'noticeAcknowledgements'
    | 'positions'
    | keyof SecuritySettings
    | 'adminNetworks'
    | 'setup'
  >

/**
 * Returns the settings for a row of the table, with placeholders for settings that are not set. Environment variables have
 * priority.
 */
export function portalOf(config: Config, row: SavedSettings): Portal {
  const {
    companyName,
    logoText,
    companyNameEn,
    logoTextEn,
    portalUrl,
    offices,
    logoDigest,
    customFields,
    ...others
  } = row
  return {
    ...others,
    ...config.fixedSecurity,
    company: companyName ?? PLACEHOLDER.company,
    logoText: logoText ?? PLACEHOLDER.logoText,
    companyEn: companyNameEn ?? '',
    logoTextEn: logoTextEn ?? '',
    // Offices that were saved before they had English texts lack them.
    offices: ((offices as Office[] | null) ?? PLACEHOLDER.offices).map((office) => ({
      ...NO_ENGLISH,
      ...office,
    })),
    portalUrl: config.given.has(VARIABLE.portalUrl) ? config.portalUrl : (portalUrl ?? ''),
    logo: logoDigest ?? '',
    customFields: customFields as CustomField[],
  }
}

/** Empty English texts of an office. */
const NO_ENGLISH = { nameEn: '', addressEn: '' }

/** Milliseconds that a page waits for the database. */
const PATIENCE_MS = 1_000

/**
 * Reads the settings and returns their cache. Requires the migrated schema. Does not refresh itself: a job does.
 * @param keys decrypt the password of the mail server
 * @throws if the database is unavailable
 */
export async function openSettings(pool: pg.Pool, config: Config, keys: SealKeys): Promise<Settings> {
  let mailServer: MailServer
  let loginProviders: readonly LoginProvider[] = []
  let privacyVersion = 0
  let mailTemplates = { version: -1, byKind: new Map<string, MailTemplate>() }
  let known = await read()
  let running: Promise<Portal> | undefined
  let next: Promise<Portal> | undefined
  let image: { digest: string; read: Promise<LogoImage | null> } | undefined

  /** Reads all settings with one query, and caches those that `Portal` does not have. */
  async function read(): Promise<Portal> {
    const { rows } = await pool.query<
      SavedSettings &
        SavedMail & {
          providers: LoginProvider[]
          privacy: number
          templateVersion: number
          templates: TemplateRow[] | null
        }
    >({
      name: 'settings',
      text: `select ${SELECTED}, ${LOGIN_PROVIDERS} as providers,
        (select coalesce(max(version), 0) from privacy_notices) as privacy,
        mail_templates_version as "templateVersion", ${MAIL_TEMPLATE_ROWS} as templates from settings`,
      values: [mailTemplates.version],
    })
    if (rows[0] === undefined) throw new Error('the row of the settings is gone')
    const {
      mailUrl,
      mailUser,
      mailPassword,
      mailFrom,
      providers,
      privacy,
      templateVersion,
      templates,
      ...row
    } = rows[0]
    if (templates !== null) mailTemplates = { version: templateVersion, byKind: templatesOf(templates) }
    privacyVersion = privacy
    loginProviders = config.sso ? providers : []
    mailServer = mailServerOf(config, keys, { mailUrl, mailUser, mailPassword, mailFrom })
    return portalOf(config, row)
  }

  /** Reads the logo; null if it has another digest now. */
  async function readImage(digest: string): Promise<LogoImage | null> {
    const { rows } = await pool.query<LogoImage>(
      'select logo_type as type, logo as bytes from settings where logo_digest = $1',
      [digest],
    )
    return rows[0] ?? null
  }

  /** Reads the settings with a query that starts after this call. Concurrent callers share it. */
  function fresh(): Promise<Portal> {
    if (running === undefined) {
      return (running = read()
        .then((portal) => (known = portal))
        .finally(() => (running = undefined)))
    }
    // The running query may have started before the change that the caller needs. All callers who come meanwhile share the next
    // one.
    return (next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return fresh()
      }))
  }

  return {
    now: () => known,
    mailServer: () => mailServer,
    mailTemplate: (kind, language) => mailTemplates.byKind.get(`${kind} ${language}`),
    loginProviders: () => loginProviders,
    privacyVersion: () => privacyVersion,
    session: () => ({ ...config.session, idleSeconds: known.sessionIdleMinutes * 60 }),
    fresh,
    soon: () => withTimeout(fresh(), PATIENCE_MS, () => known).catch(() => known),
    link: (page) => (known.portalUrl === '' ? null : known.portalUrl + page),
    async logo(digest) {
      // Requests with invented names must not cause more database queries than one request at a time would.
      if (digest !== known.logo) await fresh()
      if (digest !== known.logo || digest === '') return null
      if (image?.digest !== digest) {
        const reading = readImage(digest)
        image = { digest, read: reading }
        // After a failure the next request reads it again.
        const forget = () => {
          if (image?.read === reading) image = undefined
        }
        reading.then((found) => found ?? forget(), forget)
      }
      return image.read
    },
  }
}

/**
 * Stores PORTAL_URL as the setting if that is empty, so that the value remains if the variable is removed later. Does
 * nothing without PORTAL_URL.
 */
export async function keepFirstUrl(pool: pg.Pool, config: Config): Promise<void> {
  if (config.given.has(VARIABLE.portalUrl))
    await pool.query(`update settings set portal_url = coalesce(portal_url, $1)`, [config.portalUrl])
}
