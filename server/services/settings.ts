import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { Office, OfficeRecord, SessionBinding } from '../../contract/settings.ts'
import type { Config } from '../config.ts'
import { ENGLISH_PLACEHOLDER, type Names, PLACEHOLDER } from '../placeholders.ts'
import { withTimeout } from './with-timeout.ts'

/** Settings of the whole portal, from environment variables and the settings page (rules/settings#at-once). */
export interface Portal {
  company: string
  logoText: string
  /** Names on English screens; '' to use the same. */
  companyEn: string
  logoTextEn: string
  offices: readonly OfficeRecord[]
  /** Without a slash at its end; '' while nobody has said it. */
  portalUrl: string
  /** Names the logo's image; '' without one. */
  logo: string
  /** Whether readers may comment on notices, and acknowledge them, where the author lets them. */
  noticeComments: boolean
  noticeAcknowledgements: boolean
  /** Concurrent sessions per user; 0 for no limit. */
  sessionLimit: number
  /** Megabytes that a user may upload per day; 0 for no limit. */
  uploadQuotaMb: number
  /** From where a session may be used, beside where it began. */
  sessionBinding: SessionBinding
  /** From where alone administrators come in; none for anywhere. */
  adminNetworks: readonly string[]
  /** Whether the guide is open, put off, or finished. */
  setup: 'open' | 'later' | 'finished'
}

/** An image as it is served. */
export interface LogoImage {
  type: string
  bytes: Buffer
}

/** The portal's settings as every process knows them, without asking the database with every call (design/settings#cached-settings). */
export interface Settings {
  /** Returns the settings as this process has them, at most a second old. */
  now(): Portal
  /** Reads what holds at this moment. */
  fresh(): Promise<Portal>
  /** The same, or what is known where the database does not say it soon: a page is served without it. */
  soon(): Promise<Portal>
  /** The address of a page for a mail; null while the portal's own address is not known. */
  link(page: `/${string}`): string | null
  /** The logo's image by its name; null when that is not the current one. */
  logo(digest: string): Promise<LogoImage | null>
}

/** The variables that set what the settings say otherwise: where set, they win. */
export const VARIABLE = {
  companyName: 'COMPANY_NAME',
  logoText: 'LOGO_TEXT',
  companyNameEn: 'COMPANY_NAME_EN',
  logoTextEn: 'LOGO_TEXT_EN',
  portalUrl: 'PORTAL_URL',
  offices: 'OFFICES',
  officesEn: 'OFFICES_EN',
} as const

/** The columns of the table from which the portal's settings are read; a field that no variable replaces has its name in the code. */
export const PORTAL_COLUMNS = [
  'company_name',
  'logo_text',
  'company_name_en',
  'logo_text_en',
  'portal_url',
  'offices',
  'logo_digest',
  'notice_comments as noticeComments',
  'notice_acknowledgements as noticeAcknowledgements',
  'session_limit as sessionLimit',
  'upload_quota_mb as uploadQuotaMb',
  'session_binding as sessionBinding',
  'admin_networks as adminNetworks',
  'setup_state as setup',
] as const

/** The settings in the table that a variable or a default may replace. */
interface Replaceable {
  company_name: string | null
  logo_text: string | null
  company_name_en: string | null
  logo_text_en: string | null
  portal_url: string | null
  offices: unknown
  logo_digest: string | null
}

/** A row of the table, as PORTAL_COLUMNS reads it. */
export type SavedSettings = Replaceable &
  Pick<
    Portal,
    | 'noticeComments'
    | 'noticeAcknowledgements'
    | 'sessionLimit'
    | 'uploadQuotaMb'
    | 'sessionBinding'
    | 'adminNetworks'
    | 'setup'
  >

/**
 * Returns the settings for a row of the table. An environment variable has priority over the table, and the table over the
 * defaults.
 */
export function portalOf({ company, portalUrl, given }: Config, row: SavedSettings): Portal {
  const {
    company_name,
    logo_text,
    company_name_en,
    logo_text_en,
    portal_url,
    offices,
    logo_digest,
    ...others
  } = row
  const either = <T>(field: keyof typeof VARIABLE, configured: T, saved: T | null) =>
    given.has(VARIABLE[field]) ? configured : (saved ?? configured)
  return {
    ...others,
    company: either('companyName', company.name, company_name),
    logoText: either('logoText', company.logoText, logo_text),
    companyEn: either('companyNameEn', company.english.company, company_name_en),
    logoTextEn: either('logoTextEn', company.english.logoText, logo_text_en),
    // Those that were saved before they had words in English lack them, as those of a variable do.
    offices: either('offices', company.offices, offices as Office[] | null).map((office) => ({
      ...NO_ENGLISH,
      ...office,
    })),
    portalUrl: either('portalUrl', portalUrl, portal_url),
    logo: logo_digest ?? '',
  }
}

const NO_ENGLISH = { nameEn: '', addressEn: '' }

/**
 * Returns the English names, if they are set: in an environment variable, in the settings, or as the texts of placeholders that
 * were not changed (rules/settings#english-names).
 */
export function inEnglish({ company: { english } }: Config, portal: Portal): Partial<Names> {
  const wordOf = (name: 'company' | 'logoText', said: string) =>
    said === '' && portal[name] === PLACEHOLDER[name] ? ENGLISH_PLACEHOLDER[name] : said
  const company = wordOf('company', portal.companyEn)
  const logoText = wordOf('logoText', portal.logoTextEn)
  const korean = portal.offices.map(shownOf)
  const offices = english.offices.length > 0 ? english.offices : portal.offices.map(officeInEnglish)
  return {
    ...(company !== '' && { company }),
    ...(logoText !== '' && { logoText }),
    ...(!isDeepStrictEqual(offices, korean) && { offices }),
  }
}

/** An office as Korean screens show it. */
export function shownOf({ name, address, phone, fax }: Office): Office {
  return { name, address, phone, fax }
}

function officeInEnglish(office: OfficeRecord): Office {
  const { nameEn, addressEn } = office
  const korean = shownOf(office)
  const said = { ...korean, name: nameEn || korean.name, address: addressEn || korean.address }
  if (nameEn + addressEn !== '') return said
  const place = PLACEHOLDER.offices.findIndex((placeholder) => isDeepStrictEqual(placeholder, korean))
  return ENGLISH_PLACEHOLDER.offices[place] ?? said
}

/** How long a page waits for the database. */
const PATIENCE_MS = 1_000

/** Reads the settings and keeps what they say. The schema is there. */
export async function openSettings(pool: pg.Pool, config: Config): Promise<Settings> {
  let known = await read()
  let running: Promise<Portal> | undefined
  let next: Promise<Portal> | undefined
  let image: { digest: string; read: Promise<LogoImage | null> } | undefined

  async function read(): Promise<Portal> {
    const { rows } = await pool.query<SavedSettings>({
      name: 'settings',
      text: `select ${PORTAL_COLUMNS.join(', ').replaceAll(/ as (\w+)/g, ' as "$1"')} from settings`,
    })
    if (rows[0] === undefined) throw new Error('the row of the settings is gone')
    return portalOf(config, rows[0])
  }

  async function readImage(digest: string): Promise<LogoImage | null> {
    const { rows } = await pool.query<LogoImage>(
      'select logo_type as type, logo as bytes from settings where logo_digest = $1',
      [digest],
    )
    return rows[0] ?? null
  }

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

/** Writes what the variables say where nobody has said anything yet: it stays when a variable goes. */
export async function keepFirstSettings(pool: pg.Pool, { company, portalUrl, given }: Config): Promise<void> {
  const said = <T>(field: keyof typeof VARIABLE, value: T) => (given.has(VARIABLE[field]) ? value : null)
  await pool.query(
    `update settings set company_name = coalesce(company_name, $1), logo_text = coalesce(logo_text, $2),
      portal_url = coalesce(portal_url, $3), offices = coalesce(offices, $4),
      company_name_en = coalesce(company_name_en, $5), logo_text_en = coalesce(logo_text_en, $6)`,
    [
      said('companyName', company.name),
      said('logoText', company.logoText),
      said('portalUrl', portalUrl),
      said('offices', JSON.stringify(company.offices)),
      said('companyNameEn', company.english.company),
      said('logoTextEn', company.english.logoText),
    ],
  )
}
