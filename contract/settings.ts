import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { customField, customFields, uniqueLines } from './custom-fields.ts'
import { MAIL_SECURITY } from './settings/mail.ts'
import { email, filter, flag, line, lineOrEmpty, recordVersion, timestamp } from './fields.ts'

export * from './settings/mail.ts'
export * from './settings/system.ts'

/** The most offices in the footer. */
export const MAX_OFFICES = 30

/** The largest image of the logo, in bytes: a first visit loads it. */
export const MAX_LOGO_BYTES = 100 * 1024

/** Access policy of the calls about settings. */
const manage = { function: ['autho_setting_manage'] } as const

/** An office in the footer; the first is the head office (rules/settings#offices). */
const office = z.strictObject({
  name: line(50),
  address: line(200),
  phone: filter(30),
  fax: filter(30),
  /** Name in English; '' to show the Korean one. */
  nameEn: filter(50),
  addressEn: filter(200),
})
/** An office with its English texts. */
export type OfficeRecord = z.output<typeof office>
/** An office as it is shown in one language. */
export type Office = Omit<OfficeRecord, 'nameEn' | 'addressEn'>

/**
 * The URL at which users open the portal: http or https, a host and an optional port ('portalUrlFormat'); '' for none
 * (rules/settings#portal-address). It becomes its origin, without a slash at the end.
 */
export const portalUrl = z.pipe(
  lineOrEmpty(200).check(z.refine((text) => text === '' || isPortalUrl(text), 'portalUrlFormat')),
  z.transform((text) => (text === '' ? '' : new URL(text).origin)),
)

/** Returns whether a text is an http or https URL with nothing but a host and a port. */
function isPortalUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, pathname, search, hash } = new URL(text)
  return (
    (protocol === 'https:' || protocol === 'http:') &&
    hostname !== '' &&
    username + search + hash === '' &&
    pathname === '/'
  )
}

/** The settings that an environment variable may fix (rules/settings#variables). */
export const FIXABLE = [
  'portalUrl',
  /** Host, port, user and password of the mail server (rules/settings#mail-server). */
  'mailServer',
  'mailFrom',
] as const

/** An image in Base64. The server checks its bytes (`LOGO_INVALID`). */
const image = z
  .string({ error: 'notText' })
  .check(
    z.maxLength(Math.ceil(MAX_LOGO_BYTES / 3) * 4, 'logoTooLarge'),
    z.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'notAnImage'),
  )

/** The most positions in the list. */
export const MAX_POSITIONS = 100

/** The fields of the settings form. */
export const settingsForm = z.strictObject({
  companyName: line(100),
  logoText: line(20),
  /** Name in English; '' to show the Korean one (rules/settings#english-names). */
  companyNameEn: lineOrEmpty(100),
  logoTextEn: lineOrEmpty(20),
  portalUrl,
  offices: z
    .array(office, 'notAList')
    .check(z.minLength(1, 'noOffice'), z.maxLength(MAX_OFFICES, `tooManyOffices|${MAX_OFFICES}`)),
  /** Whether readers may comment on notices and react to them, if the author allows it. */
  noticeComments: flag,
  noticeAcknowledgements: flag,
  customFields,
  /** Positions that users may have, in their order; empty for any (rules/settings#positions). */
  positions: uniqueLines(MAX_POSITIONS),
  /** A new image for the logo in Base64; '' to remove the logo. If left out, the logo stays. */
  logoImage: z.optional(image),
})

/** Returns the settings, which of them are fixed, and the configuration of the mail server (rules/settings#settings). */
export const getSettings = endpoint({
  path: '/set/v1/get/settings',
  summary: 'Settings of the portal',
  access: manage,
  output: z.object({
    companyName: z.string(),
    logoText: z.string(),
    /** '' if it has no English name. */
    companyNameEn: z.string(),
    logoTextEn: z.string(),
    /** '' until it is set. */
    portalUrl: z.string(),
    offices: z.array(z.object(office.shape)),
    /** URL of the logo's image; '' without one. */
    logo: z.string(),
    /** The settings that an environment variable fixes. */
    fixed: z.array(z.object({ field: z.enum(FIXABLE), variable: z.string() })),
    noticeComments: flag,
    noticeAcknowledgements: flag,
    customFields: z.array(z.object(customField.shape)),
    positions: z.array(z.string()),
    /** Host and port of the current mail server; '' without one: emails become files. */
    mailServer: z.string(),
    /** The mail server as its form edits it; '' without one. */
    mailHost: z.string(),
    mailPort: z.number(),
    mailSecurity: z.enum(MAIL_SECURITY),
    mailUser: z.string(),
    /** True if a password is saved, which the server never returns. */
    mailPasswordSet: flag,
    /** The sender of emails. */
    mailFrom: z.string(),
    /** Version of the mail server, which is saved separately. */
    mailVersion: recordVersion,
    /** The caller's own address, which the form suggests for a test mail; '' for a placeholder address. */
    ownEmail: z.string(),
    version: recordVersion,
    /** Time and user of the last change; '' before the first. */
    changedAt: timestamp,
    userId: z.string(),
    name: z.string(),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Saves the given settings and keeps the others. Notifies administrators by email of another portal address.
 * RECORD_CHANGED if another user has saved since the caller read them; SETTING_FIXED for a portal address that an
 * environment variable fixes; ADMIN_REACH_REQUIRED for a portal address from a caller who does not reach
 * administrators; LOGO_INVALID for another image format.
 */
export const updateSettings = endpoint({
  path: '/set/v1/upd/settings',
  summary: 'Change the settings of the portal',
  access: manage,
  confirmed: 'always',
  // The caller leaves out the settings that an environment variable fixes: they stay unchanged.
  input: z.strictObject({ ...z.partial(settingsForm).shape, version: recordVersion }),
  errors: ['RECORD_CHANGED', 'SETTING_FIXED', 'ADMIN_REACH_REQUIRED', 'LOGO_INVALID'],
  audit: 'setting.update',
  auditsChangeOnly: true,
  personal: 'none',
})

/** The reasons for which a test mail was not sent (rules/settings#test-mail). */
export const MAIL_PROBLEMS = [
  'refused',
  'unknownHost',
  'timeout',
  'certificate',
  'noTls',
  'oldTls',
  'login',
  'sender',
  'recipient',
  'folder',
  'other',
] as const
/** A reason for which a test mail was not sent. */
export type MailProblem = (typeof MAIL_PROBLEMS)[number]

/**
 * Sends an email to an address immediately, by default the caller's own, with the saved settings, and returns the
 * result: a failure is a result, no refusal. TOO_MANY_TRIES after too many.
 */
export const sendTestMail = endpoint({
  path: '/set/v1/ins/testMail',
  summary: 'Send a test mail',
  access: manage,
  input: z.strictObject({ email: z.optional(email) }),
  output: z.object({
    email: z.string(),
    /** `sent` to the mail server, `written` to a file, or `failed`. */
    state: z.enum(['sent', 'written', 'failed']),
    /** Path of the file; '' unless it was written. */
    path: z.string(),
    /** Left out unless it failed. */
    problem: z.optional(z.enum(MAIL_PROBLEMS)),
    /** The original message of the mail server or the system; '' unless it failed. */
    detail: z.string(),
  }),
  errors: ['TOO_MANY_TRIES'],
  audit: 'setting.test-mail',
  personal: 'none',
  perPerson: 'mail',
})

/** The steps of the setup guide, in order (rules/settings#guide). */
export const SETUP_STEPS = [
  'company',
  'portalUrl',
  // Comes before the caller's own address, because verifying that needs an emailed code.
  'mail',
  'ownAccount',
  'offices',
  'affiliations',
  'profiles',
  'hr',
] as const
/** A step of the setup guide. */
export type SetupStep = (typeof SETUP_STEPS)[number]

/**
 * Missing items that a step reports to the user: the own address is still the placeholder, or no mail server is set, neither in the
 * portal nor by SMTP_URL. A user cannot open the guide with a temporary password, so in the own account only the address can be missing.
 */
export const SETUP_LACKS = ['ownEmail', 'mailServer'] as const
/** A missing item of a step of the setup guide. */
export type SetupLack = (typeof SETUP_LACKS)[number]

/** The states of the setup guide: open, postponed, or finished. */
export const SETUP_STATES = ['open', 'later', 'finished'] as const

/** Returns the setup guide with the completed steps. They are derived from the current data, not from clicks. */
export const getSetup = endpoint({
  path: '/set/v1/get/setup',
  summary: 'Read the state of the setup',
  access: manage,
  output: z.object({
    state: z.enum(SETUP_STATES),
    steps: z.array(z.object({ step: z.enum(SETUP_STEPS), done: flag, lacks: z.array(z.enum(SETUP_LACKS)) })),
  }),
  audit: 'none',
  personal: 'none',
})

/** Postpones the guide, also after it was finished, or finishes it. */
export const updateSetup = endpoint({
  path: '/set/v1/upd/setup',
  summary: 'Postpone or finish the setup guide',
  access: manage,
  input: z.strictObject({ state: z.enum(['later', 'finished'], 'codeFormat') }),
  audit: 'setting.setup',
  personal: 'none',
})
