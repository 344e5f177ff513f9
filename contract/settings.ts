import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { email, filter, flag, line, lineOrEmpty, recordVersion, timestamp } from './fields.ts'

export * from './settings/security.ts'
export * from './settings/system.ts'

/** How many offices the footer shows at most. */
export const MAX_OFFICES = 30

/** How large the logo's image may be: it comes with a first visit. */
export const MAX_LOGO_BYTES = 100 * 1024

const manage = { function: ['autho_setting_manage'] } as const

/** An office in the footer; the first is the head office (rules/settings#offices). */
const office = z.strictObject({
  name: line(50),
  address: line(200),
  phone: filter(30),
  fax: filter(30),
  /** What English screens say instead; '' for the same. */
  nameEn: filter(50),
  addressEn: filter(200),
})
/** The same, with what it says in English. */
export type OfficeRecord = z.output<typeof office>
/** The same, as it is shown in one language. */
export type Office = Omit<OfficeRecord, 'nameEn' | 'addressEn'>

/** Where people open the portal: http or https, a host and perhaps a port; '' for none (rules/settings#portal-address). */
export const portalUrl = z.pipe(
  filter(200).check(z.refine((text) => text === '' || isPortalUrl(text), 'portalUrlFormat')),
  z.transform((text) => (text === '' ? '' : new URL(text).origin)),
)

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

/** The settings that a variable may fix (rules/settings#variables). */
export const FIXABLE = [
  'companyName',
  'logoText',
  'companyNameEn',
  'logoTextEn',
  'portalUrl',
  'offices',
  /** The English of the offices, which is not a field of its own. */
  'officesEn',
] as const

/** An image in Base64. Whether it is one, its bytes say (`LOGO_INVALID`). */
const image = z
  .string({ error: 'notText' })
  .check(
    z.maxLength(Math.ceil(MAX_LOGO_BYTES / 3) * 4, 'logoTooLarge'),
    z.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'notAnImage'),
  )

/** What the form of the settings edits. */
export const settingsForm = z.strictObject({
  companyName: line(100),
  logoText: line(20),
  /** What English screens say instead; '' for the same (rules/settings#english-names). */
  companyNameEn: lineOrEmpty(100),
  logoTextEn: lineOrEmpty(20),
  portalUrl,
  offices: z
    .array(office, 'notAList')
    .check(z.minLength(1, 'noOffice'), z.maxLength(MAX_OFFICES, `tooManyOffices|${MAX_OFFICES}`)),
  /** Whether readers may comment on notices, and acknowledge them, where the author lets them. */
  noticeComments: flag,
  noticeAcknowledgements: flag,
  /** A new image for the logo in Base64, '' to have none; left out, it stays. */
  logoImage: z.optional(image),
})

/** What is set, where it is fixed, and what mails are sent with (rules/settings#settings). */
export const getSettings = endpoint({
  path: '/set/v1/get/settings',
  summary: 'Settings of the portal',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    companyName: z.string(),
    logoText: z.string(),
    /** '' while nobody has said it in English. */
    companyNameEn: z.string(),
    logoTextEn: z.string(),
    /** '' while nobody has said it. */
    portalUrl: z.string(),
    offices: z.array(z.object(office.shape)),
    /** Address of the logo's image; '' without one. */
    logo: z.string(),
    /** What a variable of the deployment fixes. */
    fixed: z.array(z.object({ field: z.enum(FIXABLE), variable: z.string() })),
    noticeComments: flag,
    noticeAcknowledgements: flag,
    /** Who mails come from; set by MAIL_FROM alone. */
    mailFrom: z.string(),
    /** Host and port of SMTP_URL; '' without one: mails become files. */
    mailServer: z.string(),
    /** The caller's own address, which a test mail is offered to; '' while it is a placeholder that nobody reads. */
    ownEmail: z.string(),
    version: recordVersion,
    /** When and by whom it was changed last; '' while it never was. */
    changedAt: timestamp,
    userId: z.string(),
    name: z.string(),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/**
 * Saves the given settings and keeps the rest. Refuses with RECORD_CHANGED after another save, and with ADMIN_REACH_REQUIRED for a
 * portal address from a caller who does not reach administrators.
 */
export const updateSettings = endpoint({
  path: '/set/v1/upd/settings',
  summary: 'Change the settings of the portal',
  access: manage,
  confirmed: 'always',
  // What a variable fixes is left out: it stays, whatever it is.
  input: z.strictObject({ ...z.partial(settingsForm).shape, version: recordVersion }),
  output: z.object({}),
  errors: ['RECORD_CHANGED', 'SETTING_FIXED', 'ADMIN_REACH_REQUIRED', 'LOGO_INVALID'],
  audit: 'setting.update',
  personal: 'none',
  perPerson: 'write',
})

/** Why a test mail did not leave (rules/settings#test-mail). */
export const MAIL_PROBLEMS = [
  'refused',
  'unknownHost',
  'timeout',
  'certificate',
  'noTls',
  'login',
  'sender',
  'recipient',
  'folder',
  'other',
] as const
/** Why a test mail did not leave. */
export type MailProblem = (typeof MAIL_PROBLEMS)[number]

/** Sends a mail to an address now, the caller's own unless told, and says what became of it. */
export const sendTestMail = endpoint({
  path: '/set/v1/ins/testMail',
  summary: 'Send a test mail',
  access: manage,
  input: z.strictObject({ email: z.optional(email) }),
  output: z.object({
    email: z.string(),
    /** `sent` to the mail server, `written` to a file, or `failed`. */
    state: z.enum(['sent', 'written', 'failed']),
    /** The file; '' unless it was written. */
    path: z.string(),
    /** Left out unless it failed. */
    problem: z.optional(z.enum(MAIL_PROBLEMS)),
    /** What the mail server or the system said, as it said it; '' unless it failed. */
    detail: z.string(),
  }),
  errors: ['TOO_MANY_TRIES'],
  audit: 'setting.test-mail',
  personal: 'none',
  perPerson: 'mail',
})

/** The steps of the guide, in order (rules/settings#guide). */
export const SETUP_STEPS = [
  'company',
  'portalUrl',
  // Before one's own address, which is certified by a mailed code.
  'mail',
  'ownAccount',
  'offices',
  'affiliations',
  'hr',
] as const
/** A step of the guide. */
export type SetupStep = (typeof SETUP_STEPS)[number]

/**
 * What a step may lack that a person has to be told. Nobody comes to the guide with a temporary password, so of one's own
 * account that is the address; a mail server is set outside the portal.
 */
export const SETUP_LACKS = ['ownEmail', 'mailServer'] as const
/** What a step of the guide lacks. */
export type SetupLack = (typeof SETUP_LACKS)[number]

/** Whether the guide is open, put off, or finished. */
export const SETUP_STATES = ['open', 'later', 'finished'] as const

/** The guide: which steps are done, by what is there and not by who clicked what. */
export const getSetup = endpoint({
  path: '/set/v1/get/setup',
  summary: 'What is set up and what is not',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    state: z.enum(SETUP_STATES),
    steps: z.array(z.object({ step: z.enum(SETUP_STEPS), done: flag, lacks: z.array(z.enum(SETUP_LACKS)) })),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Puts the guide off, also after it was finished, or finishes it. */
export const updateSetup = endpoint({
  path: '/set/v1/upd/setup',
  summary: 'Put the guide off or finish it',
  access: manage,
  input: z.strictObject({ state: z.enum(['later', 'finished'], 'codeFormat') }),
  output: z.object({}),
  errors: [],
  audit: 'setting.setup',
  personal: 'none',
  perPerson: 'write',
})
